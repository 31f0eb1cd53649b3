/** Sizes of the board; characters are Unicode code points. */
export const TITLE_CHARACTERS = 255;
export const BODY_CHARACTERS = 100_000;
export const URL_CHARACTERS = 512;
export const REPOSITORY_CHARACTERS = 255;
export const PULL_REQUESTS_OF_CARD = 50;
export const ARTIFACTS_OF_CARD = 50;
export const DOCUMENTS_OF_CARD = 50;
export const LINKS_OF_CARD = 100;
export const CHILDREN_OF_CARD = 500;
export const COLUMNS_OF_BOARD = 30;
export const LABEL_CHARACTERS = 100;
export const CARDS_OF_BULK_MOVE = 100;
export const HOLD_NOTE_CHARACTERS = 500;
export const SEARCH_CHARACTERS = 500;
export const RUN_NAME_CHARACTERS = 100;
export const WINDOW_DAYS = { min: 1, max: 30, default: 3 } as const;
/** A session of an agent that was not heard of for so long is over. */
export const STALE_SESSION_HOURS = 24;
/** Deleted cards are remembered for pages that were away. */
export const TOMBSTONE_DAYS = 7;
