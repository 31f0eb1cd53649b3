import type { Anchor } from './anchor.js';
import { type FoldedText, foldQuote, foldText, sourceSpan } from './folded-text.js';
import { widenToGraphemes } from './graphemes.js';
import { bestOccurrence, occurrencesOf } from './occurrences.js';

/** Characters kept on each side of a quote. */
const CONTEXT_LENGTH = 32;

/** Longest quote in UTF-16 code units. */
const MAX_QUOTE_LENGTH = 5_000;

export type AnchorRefusal = 'blank' | 'too-long' | 'missing';

export type AnchorResult =
  | { readonly anchor: Anchor; readonly refusal?: undefined }
  | { readonly anchor?: undefined; readonly refusal: AnchorRefusal };

/**
 * Makes the anchor of a selection (`documents.md` 5.2). When the quote does not stand at `start`,
 * the nearest place where it stands word for word is taken. The passage is widened so that no
 * grapheme is cut. Refuses a blank quote, one over 5,000 units and one that the text lacks.
 */
export function makeAnchor(plainText: string, quote: string, start: number): AnchorResult {
  if (foldQuote(quote) === '') return { refusal: 'blank' };
  if (quote.length > MAX_QUOTE_LENGTH) return { refusal: 'too-long' };
  const at = Number.isSafeInteger(start) ? Math.max(0, start) : 0;
  if (plainText.startsWith(quote, at) && at + quote.length <= plainText.length) {
    return limited(anchorOf(plainText, at, at + quote.length));
  }
  const folded = foldText(plainText);
  const near = foldedOffset(folded, at);
  const found = bestOccurrence(
    occurrencesOf(folded, { quote: foldQuote(quote), prefix: '', suffix: '' }, near),
    near,
  );
  if (found === null) return { refusal: 'missing' };
  const span = sourceSpan(folded, plainText, found.start, found.end);
  return limited(anchorOf(plainText, span.start, span.end));
}

/** The anchor of a span of the text, with its surroundings; white space at the edges stays outside. */
export function anchorOf(plainText: string, start: number, end: number): Anchor {
  let span = widenToGraphemes(plainText, start, end);
  const taken = plainText.slice(span.start, span.end);
  span = {
    start: span.start + (taken.length - taken.trimStart().length),
    end: span.end - (taken.length - taken.trimEnd().length),
  };
  const before = widenToGraphemes(plainText, Math.max(0, span.start - CONTEXT_LENGTH), span.start).start;
  const after = widenToGraphemes(
    plainText,
    span.end,
    Math.min(plainText.length, span.end + CONTEXT_LENGTH),
  ).end;
  return {
    quote: plainText.slice(span.start, span.end),
    // A grapheme that would be cut by the limit is left out rather than stored in half.
    prefix: withinLimit(plainText, before, span.start, 'start'),
    suffix: withinLimit(plainText, span.end, after, 'end'),
    start: span.start,
  };
}

/** Folded offset of a source offset, or of the next character that counts. */
export function foldedOffset(folded: FoldedText, sourceOffset: number): number {
  let low = 0;
  let high = folded.toSource.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (folded.toSource[middle]! < sourceOffset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function limited(anchor: Anchor): AnchorResult {
  if (anchor.quote === '') return { refusal: 'blank' };
  return anchor.quote.length > MAX_QUOTE_LENGTH ? { refusal: 'too-long' } : { anchor };
}

function withinLimit(text: string, start: number, end: number, cut: 'start' | 'end'): string {
  let from = start;
  let to = end;
  while (to - from > CONTEXT_LENGTH) {
    const edge = cut === 'start' ? from + 1 : to - 1;
    const span = widenToGraphemes(text, cut === 'start' ? from : edge, cut === 'start' ? edge : to);
    if (cut === 'start') from = Math.max(span.end, edge);
    else to = Math.min(span.start, edge);
  }
  return text.slice(from, Math.max(from, to));
}
