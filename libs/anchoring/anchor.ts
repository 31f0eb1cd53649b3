/**
 * A passage of a plain text. Offsets everywhere in this folder are UTF-16 code units, ends are
 * exclusive.
 */
export interface Anchor {
  readonly quote: string;
  /** Up to 32 characters before the quote. */
  readonly prefix: string;
  /** Up to 32 characters after the quote. */
  readonly suffix: string;
  readonly start: number;
}

/** How sure a placement is: the same words at the same place, elsewhere, or reworded in part. */
export type PlacementKind = 'exact' | 'moved' | 'fuzzy';

/** Where a passage is in another text. */
export interface Placement {
  readonly start: number;
  readonly end: number;
  readonly kind: PlacementKind;
}
