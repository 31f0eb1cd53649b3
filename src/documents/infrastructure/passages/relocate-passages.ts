import type { Anchor } from '#libs/anchoring/anchor.js';
import { anchorOf } from '#libs/anchoring/make-anchor.js';
import { relocate } from '#libs/anchoring/relocate.js';
import type { RelocatedPassage } from '../../application/ports/passage-relocator.js';

/** On the calling thread. */
export function relocatePassages(
  before: string,
  after: string,
  anchors: readonly Anchor[],
): (RelocatedPassage | null)[] {
  return relocate(before, after, anchors).map(
    (place) => place && { anchor: anchorOf(after, place.start, place.end), kind: place.kind },
  );
}
