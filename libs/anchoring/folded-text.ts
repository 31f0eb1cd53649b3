/**
 * A text as it is compared: composed letters (NFC), every run of white space (no-break spaces and
 * line ends too) as one space, characters without width left out. `toSource` leads back: entry i is
 * the source offset of folded unit i, the last entry is the source length.
 */
export interface FoldedText {
  readonly text: string;
  readonly toSource: Int32Array;
}

// Zero-width joiners stay: they hold emoji and some scripts together.
const IGNORED = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/;
const SPACE = /\s/;
// A letter with its marks, or a syllable of conjoining jamo: what normalisation may compose.
const CLUSTER = /[\u1100-\u115F\uA960-\uA97F][\u1160-\u11FF\uD7B0-\uD7FF]*\p{M}*|\P{M}\p{M}*|\p{M}+/suy;

/** Folds a text in one pass; linear in its length. */
export function foldText(source: string): FoldedText {
  const toSource = new Int32Array(source.length * 3 + 2);
  const parts: string[] = [];
  let length = 0;
  let plainFrom = -1;
  let at = 0;
  let lastWasSpace = false;
  const flush = (to: number): void => {
    if (plainFrom >= 0) parts.push(source.slice(plainFrom, to));
    plainFrom = -1;
  };
  while (at < source.length) {
    const code = source.charCodeAt(at);
    const next = at + 1 < source.length ? source.charCodeAt(at + 1) : 0;
    if (code > 32 && code < 127 && next < 0x300) {
      if (plainFrom < 0) plainFrom = at;
      toSource[length++] = at++;
      lastWasSpace = false;
      continue;
    }
    flush(at);
    if (code <= 32 || code === 127 || (code >= 0x80 && SPACE.test(source[at]!))) {
      if (!lastWasSpace) {
        parts.push(' ');
        toSource[length++] = at;
      }
      lastWasSpace = true;
      at += 1;
      continue;
    }
    CLUSTER.lastIndex = at;
    const cluster = CLUSTER.exec(source)?.[0] ?? source[at]!;
    if (cluster.length === 1 && IGNORED.test(cluster)) {
      at += 1;
      continue;
    }
    const composed = cluster.normalize('NFC');
    parts.push(composed);
    for (let i = 0; i < composed.length; i++) {
      // Inside a cluster that did not change every unit keeps its place; else all point at its start.
      toSource[length++] = composed === cluster ? at + i : at;
    }
    at += cluster.length;
    lastWasSpace = false;
  }
  flush(source.length);
  toSource[length] = source.length;
  return { text: parts.join(''), toSource: toSource.subarray(0, length + 1) };
}

/** Folded text without white space at its edges, for quotes. */
export function foldQuote(quote: string): string {
  return foldText(quote).text.trim();
}

/** Source span of a folded span; the end leaves white space that follows the passage outside. */
export function sourceSpan(
  folded: FoldedText,
  source: string,
  start: number,
  end: number,
): { start: number; end: number } {
  const from = folded.toSource[start]!;
  let to = folded.toSource[end]!;
  const lastUnit = folded.toSource[end - 1]!;
  while (to > lastUnit + 1 && (SPACE.test(source[to - 1]!) || IGNORED.test(source[to - 1]!))) to -= 1;
  return { start: from, end: to };
}
