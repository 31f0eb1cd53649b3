/* Turns a selected stretch of the plain text into an anchor that the server accepts, or says why not. */

/** Characters (code points) that a quote may have. */
export const QUOTE_LIMIT = 5000;

/** The words that a comment is about. */
export interface QuoteAnchor {
  readonly quote: string;
  readonly start: number;
}

export type Selected =
  | ({ readonly ok: true; readonly end: number } & QuoteAnchor)
  | { readonly ok: false; readonly reason: string };

/** Trims white space, never cuts a character that readers see as one, and checks the length. */
export function anchorFor(text: string, from: number, to: number): Selected {
  let start = Math.min(from, to);
  let end = Math.max(from, to);
  while (start < end && /\s/u.test(text[start]!)) start++;
  while (end > start && /\s/u.test(text[end - 1]!)) end--;
  if (start >= end) return { ok: false, reason: 'Select some words of the text first.' };
  start = graphemeEdge(text, start, 'before');
  end = graphemeEdge(text, end, 'after');
  const quote = text.slice(start, end);
  // A letter takes at most two code units: what is far too long is not counted.
  if (quote.length > 2 * QUOTE_LIMIT || [...quote].length > QUOTE_LIMIT) {
    return { ok: false, reason: `Select at most ${QUOTE_LIMIT} characters, or comment on the document.` };
  }
  return { ok: true, quote, start, end };
}

const WINDOW = 80;
let segmenter: Intl.Segmenter | undefined;

/** Moves a place that lies inside one visible character (a flag, a family, a letter with marks) to its edge. */
export function graphemeEdge(text: string, at: number, direction: 'before' | 'after'): number {
  if (at <= 0 || at >= text.length) return at;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // Begin at a line end or a space near by, so that the window itself begins between characters.
  let from = Math.max(0, at - WINDOW);
  while (from > 0 && !/\s/u.test(text[from - 1]!) && at - from < WINDOW * 4) from--;
  const part = text.slice(from, Math.min(text.length, at + WINDOW));
  for (const { index, segment } of segmenter.segment(part)) {
    const begin = from + index;
    const finish = begin + segment.length;
    if (begin >= at) return at;
    if (finish > at) return direction === 'before' ? begin : finish;
  }
  return at;
}

/**
 * Finds the words of an unsent comment in a newer text: the occurrence nearest to where they were.
 * Null when they are gone.
 */
export function findAgain(quote: string, start: number, oldLength: number, text: string): QuoteAnchor | null {
  const expected = oldLength > 0 ? Math.round((start / oldLength) * text.length) : start;
  let best: number | null = null;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (best === null || Math.abs(at - expected) < Math.abs(best - expected)) best = at;
  }
  return best === null ? null : { quote, start: best };
}
