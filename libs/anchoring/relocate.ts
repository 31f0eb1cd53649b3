import type { Anchor, Placement, PlacementKind } from './anchor.js';
import { type FoldedText, foldText, sourceSpan } from './folded-text.js';
import { widenToGraphemes } from './graphemes.js';
import { foldedOffset } from './make-anchor.js';
import {
  bestOccurrence,
  contextAt,
  type FoldedAnchor,
  foldAnchor,
  type Occurrence,
  occurrencesOf,
} from './occurrences.js';
import { alignTexts, type TextAlignment } from './text-alignment.js';

/** Share of a passage's words that must have stayed together for it to be found again. */
const ENOUGH_WORDS = 0.6;

/** Characters of surroundings that prove a place, of at most 64. */
const PROVEN_CONTEXT = 20;

/** A quote of this many folded characters is its own proof when it stands in one place alone. */
const TELLING_QUOTE = 40;

/** An orphan waits for its words to return, so that a shorter one is proof enough. */
const TELLING_QUOTE_OF_ORPHAN = 8;

/** Signs without words that a passage may begin with, in folded characters. */
const EDGE_SIGNS = 8;

/** A passage may have grown by half and this many words. */
const GROWTH_IN_WORDS = 4;

/**
 * Finds the passages of one text in its next version, in the order of `anchors`; null where the
 * words of a passage are gone or may be anywhere. All anchors share one alignment of the two texts.
 *
 * A passage follows its own words: where most of them stayed together it is placed there, as
 * `exact` when words and surroundings are the same, `moved` when only the words are, `fuzzy` when
 * some words differ. Words that stand elsewhere word for word are taken only when their
 * surroundings or their length prove that they are the same passage.
 */
export function relocate(
  beforeText: string,
  afterText: string,
  anchors: readonly Anchor[],
): (Placement | null)[] {
  if (anchors.length === 0) return [];
  return new Relocation(beforeText, afterText).placementsOf(anchors);
}

/**
 * Finds a passage in a text without knowing the text that it was made in: word for word, the place
 * with the most matching surroundings, then the nearest to its old start scaled to the new length.
 * Null when the words are not there.
 */
export function locate(text: string, anchor: Anchor, lengthOfOldText = text.length): Placement | null {
  const folded = foldText(text);
  const wanted = foldAnchor(anchor);
  const near = foldedOffset(folded, Math.round((anchor.start * text.length) / Math.max(1, lengthOfOldText)));
  const found = bestOccurrence(occurrencesOf(folded, wanted, near), near);
  return found === null ? null : placementAt(folded, text, wanted, found, anchor);
}

class Relocation {
  private readonly folded: FoldedText;
  private readonly alignment: TextAlignment;

  constructor(
    private readonly beforeText: string,
    private readonly afterText: string,
  ) {
    this.folded = foldText(afterText);
    this.alignment = alignTexts(beforeText, afterText);
  }

  placementsOf(anchors: readonly Anchor[]): (Placement | null)[] {
    return anchors.map((anchor) => this.place(anchor));
  }

  private place(anchor: Anchor): Placement | null {
    const wanted = foldAnchor(anchor);
    if (wanted.quote === '') return null;
    const isOrphan = !this.isInOldText(anchor);
    const projected = isOrphan ? null : this.project(anchor);
    if (projected?.whole) {
      const exact = this.exactAround(projected, wanted);
      if (exact !== null) return this.placement(wanted, exact, anchor);
    }
    const elsewhere = this.provenElsewhere(anchor, wanted, projected, isOrphan);
    if (elsewhere !== null) return this.placement(wanted, elsewhere, anchor);
    return projected === null ? null : { start: projected.start, end: projected.end, kind: 'fuzzy' };
  }

  /** An orphan keeps the anchor of a version long gone; its offsets say nothing about the old text. */
  private isInOldText(anchor: Anchor): boolean {
    return this.beforeText.startsWith(anchor.quote, anchor.start);
  }

  private placement(wanted: FoldedAnchor, found: Occurrence, anchor: Anchor): Placement {
    return placementAt(this.folded, this.afterText, wanted, found, anchor);
  }

  /** The quote word for word at the projected span; signs at its edges may shift it by a little. */
  private exactAround(projected: Projection, wanted: FoldedAnchor): Occurrence | null {
    const near = foldedOffset(this.folded, projected.start);
    let best = -1;
    let at = this.folded.text.indexOf(wanted.quote, Math.max(0, near - EDGE_SIGNS));
    while (at >= 0 && at <= near + EDGE_SIGNS) {
      if (best < 0 || Math.abs(at - near) < Math.abs(best - near)) best = at;
      at = this.folded.text.indexOf(wanted.quote, at + 1);
    }
    if (best < 0) return null;
    const end = best + wanted.quote.length;
    return { start: best, end, context: contextAt(this.folded.text, wanted, best, end) };
  }

  private provenElsewhere(
    anchor: Anchor,
    wanted: FoldedAnchor,
    projected: Projection | null,
    isOrphan: boolean,
  ): Occurrence | null {
    const scaled = Math.round((anchor.start * this.afterText.length) / Math.max(1, this.beforeText.length));
    const near = foldedOffset(this.folded, projected?.start ?? scaled);
    const found = occurrencesOf(this.folded, wanted, near);
    const best = bestOccurrence(found, near);
    if (best === null) return null;
    const possible = wanted.prefix.length + wanted.suffix.length;
    if (best.context >= Math.min(PROVEN_CONTEXT, possible)) return best;
    if (projected !== null || found.length > 1) return null;
    return wanted.quote.length >= (isOrphan ? TELLING_QUOTE_OF_ORPHAN : TELLING_QUOTE) ? best : null;
  }

  /** Where the words of a passage went, when most of them stayed together. */
  private project(anchor: Anchor): Projection | null {
    const { before, after, toAfter } = this.alignment;
    const from = firstAfter(before.ends, anchor.start);
    const to = firstAtOrAfter(before.starts, anchor.start + anchor.quote.length);
    const count = to - from;
    if (count <= 0) return null;
    const targets: number[] = [];
    for (let word = from; word < to; word++) if (toAfter[word]! >= 0) targets.push(toAfter[word]!);
    const dense = densest(targets, Math.ceil(count * 1.5) + GROWTH_IN_WORDS);
    if (dense === null || dense.count / count < ENOUGH_WORDS) return null;
    const whole = dense.count === count && dense.last - dense.first + 1 === count;
    if (count < 3 && (!whole || !this.hasNeighbour(from, to, dense))) return null;
    const start = this.edge(anchor.start, before.starts, after.starts, toAfter, from, dense.first);
    const end = this.edge(
      anchor.start + anchor.quote.length,
      before.ends,
      after.ends,
      toAfter,
      to - 1,
      dense.last,
    );
    if (start >= end) return null;
    return { ...widenToGraphemes(this.afterText, start, end), whole };
  }

  /** One or two words prove nothing alone: a word beside them must have come along. */
  private hasNeighbour(from: number, to: number, dense: Dense): boolean {
    const { before, after, toAfter } = this.alignment;
    const before1 = from > 0 ? toAfter[from - 1]! === dense.first - 1 && dense.first > 0 : dense.first === 0;
    const after1 =
      to < before.ids.length ? toAfter[to] === dense.last + 1 : dense.last === after.ids.length - 1;
    return before1 || after1;
  }

  /** Keeps what the selection took of an edge word, or of the signs beside it, where they are the same. */
  private edge(
    at: number,
    beforeEdges: Int32Array,
    afterEdges: Int32Array,
    toAfter: Int32Array,
    word: number,
    target: number,
  ): number {
    const edge = afterEdges[target]!;
    if (toAfter[word] !== target) return edge;
    const distance = at - beforeEdges[word]!;
    if (distance === 0) return edge;
    const moved = edge + distance;
    const old = this.beforeText.slice(Math.min(at, beforeEdges[word]!), Math.max(at, beforeEdges[word]!));
    return this.afterText.slice(Math.min(moved, edge), Math.max(moved, edge)) === old ? moved : edge;
  }
}

interface Projection {
  readonly start: number;
  readonly end: number;
  /** Every word came along, in one piece. */
  readonly whole: boolean;
}

interface Dense {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

function placementAt(
  folded: FoldedText,
  text: string,
  wanted: FoldedAnchor,
  found: Occurrence,
  anchor: Anchor,
): Placement {
  const span = sourceSpan(folded, text, found.start, found.end);
  const sameSurroundings = found.context >= wanted.prefix.length + wanted.suffix.length;
  const kind: PlacementKind = sameSurroundings || unchangedAt(text, anchor, span.start) ? 'exact' : 'moved';
  return { ...widenToGraphemes(text, span.start, span.end), kind };
}

function unchangedAt(text: string, anchor: Anchor, start: number): boolean {
  return (
    start === anchor.start &&
    text.startsWith(anchor.prefix + anchor.quote + anchor.suffix, start - anchor.prefix.length)
  );
}

/** The window of `width` words that holds the most targets. */
function densest(targets: readonly number[], width: number): Dense | null {
  const sorted = [...targets].sort((a, b) => a - b);
  let best: Dense | null = null;
  let from = 0;
  for (let to = 0; to < sorted.length; to++) {
    while (sorted[to]! - sorted[from]! >= width) from += 1;
    const count = to - from + 1;
    if (best === null || count > best.count) best = { first: sorted[from]!, last: sorted[to]!, count };
  }
  return best;
}

/** Index of the first value greater than `limit` in a rising list. */
function firstAfter(values: Int32Array, limit: number): number {
  return firstAtOrAfter(values, limit + 1);
}

/** Index of the first value of at least `limit` in a rising list. */
function firstAtOrAfter(values: Int32Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
