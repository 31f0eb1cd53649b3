export const CARDS_PER_ARTIFACT = 20;
export const ARTIFACTS_PER_CARD = 50;
