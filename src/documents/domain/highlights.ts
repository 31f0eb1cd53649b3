import { HIGHLIGHT_CHARACTERS } from './limits.js';

/** A tinted passage of one version; offsets are UTF-16 code units of its plain text. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

export type HighlightRefusal = 'not_found' | 'blank' | 'too_long' | 'duplicate';

export interface PlacedHighlights {
  readonly highlights: readonly Highlight[];
  readonly skipped: readonly { readonly quote: string; readonly reason: HighlightRefusal }[];
}

/**
 * Finds quotes in the plain text of a version. A quote is text as it reads rendered, inside one block; its first
 * occurrence is taken, and runs of blanks match each other.
 */
export function placeHighlights(plainText: string, quotes: readonly string[]): PlacedHighlights {
  const highlights: Highlight[] = [];
  const skipped: { quote: string; reason: HighlightRefusal }[] = [];
  const seen = new Set<string>();
  const text = collapsed(plainText);
  for (const given of quotes) {
    const words = collapsed(given.trim()).text;
    const key = words.replace(/\s+/gu, ' ');
    const reason = refusal(key, seen);
    if (reason) {
      skipped.push({ quote: given, reason });
      continue;
    }
    seen.add(key);
    const at = firstOccurrence(text.text, words);
    if (at < 0) {
      skipped.push({ quote: given, reason: 'not_found' });
      continue;
    }
    const start = text.offsets[at]!;
    const end = text.offsets[at + words.length - 1]! + 1;
    highlights.push({ start, end, quote: plainText.slice(start, end) });
  }
  return { highlights, skipped };
}

/**
 * Each run of blanks as one, with the offset of every unit in the text. Line breaks and tabs stay: they end blocks and
 * cells.
 */
function collapsed(source: string): { readonly text: string; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  let text = '';
  let from = 0;
  for (const run of source.matchAll(/[^\S\n\t]+/gu)) {
    for (let at = from; at <= run.index; at += 1) offsets.push(at);
    text += `${source.slice(from, run.index)} `;
    from = run.index + run[0].length;
  }
  for (let at = from; at < source.length; at += 1) offsets.push(at);
  return { text: text + source.slice(from), offsets };
}

/** Knuth, Morris and Pratt: in one pass, however the words repeat themselves. */
function firstOccurrence(text: string, words: string): number {
  const borders = new Int32Array(words.length);
  for (let at = 1, length = 0; at < words.length; at += 1) {
    while (length > 0 && words[at] !== words[length]) length = borders[length - 1]!;
    if (words[at] === words[length]) length += 1;
    borders[at] = length;
  }
  for (let at = 0, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== words[length]) length = borders[length - 1]!;
    if (text[at] === words[length]) length += 1;
    if (length === words.length) return at - length + 1;
  }
  return -1;
}

function refusal(key: string, seen: ReadonlySet<string>): HighlightRefusal | null {
  if (key === '') return 'blank';
  if ([...key].length > HIGHLIGHT_CHARACTERS) return 'too_long';
  return seen.has(key) ? 'duplicate' : null;
}
