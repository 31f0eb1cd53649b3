/** Notes of site review on cards; served by the feedback part of the board. */
export abstract class CardFeedback {
  /** Notes of a card without images, as `card_get` shows them. */
  abstract ofCards(cardIds: readonly string[]): Promise<ReadonlyMap<string, readonly object[]>>;
  abstract pendingCounts(cardIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Pending and addressed notes of cards that were finished are resolved, in the running transaction. */
  abstract resolveOfCards(cardIds: readonly string[], at: Date): Promise<void>;
}

/** Nobody can leave notes yet. */
export class NoFeedback extends CardFeedback {
  override async ofCards(): Promise<ReadonlyMap<string, readonly object[]>> {
    return new Map();
  }

  override async pendingCounts(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  override async resolveOfCards(): Promise<void> {}
}
