/** A text cut into words and blocks. Offsets are UTF-16 code units of the text. */
export interface WordedText {
  readonly text: string;
  /** Number of each word; equal words of texts cut with one `WordNumbers` have equal numbers. */
  readonly ids: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Index of the first word of each block, and behind the last block the number of words. */
  readonly blocks: Int32Array;
}

/** Gives equal words equal numbers; composed and decomposed letters count as equal. */
export class WordNumbers {
  private readonly known = new Map<string, number>();

  of(word: string): number {
    const key = word.normalize('NFC');
    let id = this.known.get(key);
    if (id === undefined) {
      id = this.known.size;
      this.known.set(key, id);
    }
    return id;
  }
}

// Scripts written without spaces are cut by character; elsewhere a word is letters, digits and marks,
// joiners and soft hyphens inside it included.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{N}_]`;
const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|${LETTER}(?:${LETTER}|[\\p{M}\\u00AD]|\\u200C|\\u200D)*|\\p{Extended_Pictographic}|[\\n\\t]`,
  'gu',
);

/** Cuts a plain text; every line and every table cell is a block. Linear in its length. */
export function cutWords(text: string, numbers: WordNumbers): WordedText {
  const ids: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const blocks: number[] = [0];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const word = match[0];
    if (word === '\n' || word === '\t') {
      if (blocks.at(-1) !== ids.length) blocks.push(ids.length);
      continue;
    }
    ids.push(numbers.of(word));
    starts.push(match.index);
    ends.push(match.index + word.length);
  }
  if (blocks.at(-1) !== ids.length) blocks.push(ids.length);
  return {
    text,
    ids: Int32Array.from(ids),
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    blocks: Int32Array.from(blocks),
  };
}
