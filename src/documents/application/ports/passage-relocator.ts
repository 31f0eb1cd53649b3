import type { Anchor, PlacementKind } from '#libs/anchoring/anchor.js';

/** Where a passage stands in another text, with a fresh anchor there. */
export interface RelocatedPassage {
  readonly anchor: Anchor;
  readonly kind: PlacementKind;
}

/** Finds passages of one text in another, without holding up the event loop however long the texts are. */
export abstract class PassageRelocator {
  /**
   * In the order of `anchors`; null where the words are gone.
   * @throws DomainError `render_queue_full`; InvalidInput on `markdown` when it takes longer than 10 seconds.
   */
  abstract relocate(
    before: string,
    after: string,
    anchors: readonly Anchor[],
  ): Promise<(RelocatedPassage | null)[]>;
}
