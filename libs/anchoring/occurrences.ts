import type { Anchor } from './anchor.js';
import { type FoldedText, foldQuote, foldText } from './folded-text.js';

/** A place where a quote stands word for word, in offsets of the folded text. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** Characters of prefix and suffix that stand around it too. */
  readonly context: number;
}

/** A quote of one letter occurs everywhere; beyond this many places only the nearest are weighed. */
const MOST_WEIGHED = 2_000;

/** A folded anchor, made once for many comparisons. */
export interface FoldedAnchor {
  readonly quote: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** The parts of an anchor, folded like the text that they are looked for in. */
export function foldAnchor(anchor: Pick<Anchor, 'quote' | 'prefix' | 'suffix'>): FoldedAnchor {
  return {
    quote: foldQuote(anchor.quote),
    prefix: foldText(anchor.prefix).text.trimEnd(),
    suffix: foldText(anchor.suffix).text.trimStart(),
  };
}

/** All places of the quote, those nearest to `near` (folded offset) when there are very many. */
export function occurrencesOf(folded: FoldedText, anchor: FoldedAnchor, near: number): Occurrence[] {
  const { quote } = anchor;
  if (quote === '') return [];
  const starts: number[] = [];
  for (let at = folded.text.indexOf(quote); at >= 0; at = folded.text.indexOf(quote, at + 1)) starts.push(at);
  return nearest(starts, near).map((start) => ({
    start,
    end: start + quote.length,
    context: contextAt(folded.text, anchor, start, start + quote.length),
  }));
}

/** The highest context, then the nearest to `near`, then the first. */
export function bestOccurrence(found: readonly Occurrence[], near: number): Occurrence | null {
  let best: Occurrence | null = null;
  for (const one of found) {
    if (
      best === null ||
      one.context > best.context ||
      (one.context === best.context && Math.abs(one.start - near) < Math.abs(best.start - near))
    ) {
      best = one;
    }
  }
  return best;
}

/** How many characters of prefix and suffix stand around a span. */
export function contextAt(text: string, anchor: FoldedAnchor, start: number, end: number): number {
  let before = 0;
  let at = start - 1;
  if (text[at] === ' ') at -= 1;
  while (
    before < anchor.prefix.length &&
    at - before >= 0 &&
    text.charCodeAt(at - before) === anchor.prefix.charCodeAt(anchor.prefix.length - 1 - before)
  ) {
    before += 1;
  }
  let after = 0;
  let from = end;
  if (text[from] === ' ') from += 1;
  while (
    after < anchor.suffix.length &&
    from + after < text.length &&
    text.charCodeAt(from + after) === anchor.suffix.charCodeAt(after)
  ) {
    after += 1;
  }
  return before + after;
}

function nearest(starts: number[], near: number): number[] {
  if (starts.length <= MOST_WEIGHED) return starts;
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < near) low = middle + 1;
    else high = middle;
  }
  const from = Math.max(0, Math.min(low - MOST_WEIGHED / 2, starts.length - MOST_WEIGHED));
  return starts.slice(from, from + MOST_WEIGHED);
}
