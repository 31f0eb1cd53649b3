/** What a replacement changed: ids of the other ends. */
export interface LinkChange {
  readonly added: string[];
  readonly removed: string[];
}

/**
 * Links between artifacts and cards of one project. Writes run in the transaction of the caller.
 * Each throws DomainError `conflict` `limit` above 20 cards of an artifact or 50 artifacts of a card.
 */
export abstract class CardLinks {
  /** In link order. */
  abstract cardsOf(artifactId: string): Promise<string[]>;
  /** Adds links that are not there yet, and keeps the rest. @returns the cards that are new. */
  abstract add(
    projectId: string,
    artifactId: string,
    cardIds: readonly string[],
    personId: string | null,
    at: Date,
  ): Promise<string[]>;
  /** Makes these the links of the artifact; what stays keeps its place. */
  abstract replaceOfArtifact(
    artifactId: string,
    projectId: string,
    cardIds: readonly string[],
    by: string | null,
  ): Promise<LinkChange>;
  /** The same from the side of the card. */
  abstract replaceOfCard(
    cardId: string,
    projectId: string,
    artifactIds: readonly string[],
    by: string | null,
  ): Promise<LinkChange>;
  /** @returns the artifacts that lost the card. */
  abstract dropCard(cardId: string): Promise<string[]>;
}
