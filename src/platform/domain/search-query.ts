import { readable } from '#libs/kernel/words.js';

/** Code points of a search; what is longer is cut. */
export const SEARCH_CHARACTERS = 200;

/**
 * Letters from which on the last word is also looked for as the beginning of a longer one: fewer stand at the beginning of
 * too many words. Where words are not parted by blanks, two tell as much.
 */
const BEGUN_LETTERS = 4;
const BEGUN_SIGNS = 2;

/** What somebody looks for (`platform.md` 10). */
export interface SearchQuery {
  /** One line, at most 200 characters; quotes, `OR` and a leading `-` as in a search of the web. */
  readonly text: string;
  readonly cut: boolean;
  /** The last word, which may be typed by half, and what stands before it; null where it is part of a quote or left out. */
  readonly begun: { readonly before: string; readonly word: string } | null;
  /** Number of a card, of `#12` or `12` alone. */
  readonly number: number | null;
}

/** Reads what was typed: nothing is refused, everything that cannot be looked for becomes a blank. */
export function readSearchQuery(typed: string): SearchQuery {
  // Nobody needs more than the beginning, and each character has two units at most.
  const line = readable(typed.slice(0, 40 * SEARCH_CHARACTERS))
    .replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]+/gu, ' ')
    .trim();
  const characters = [...line];
  const text = characters.slice(0, SEARCH_CHARACTERS).join('').trim();
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  return {
    text,
    cut: characters.length > SEARCH_CHARACTERS,
    begun: begunWord(text),
    number: number === undefined ? null : Number(number),
  };
}

const LAST_WORD = /^(|.*\s)([\p{L}\p{M}\p{N}]+)$/u;
const UNPARTED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u;

function begunWord(text: string): SearchQuery['begun'] {
  if (text.split('"').length % 2 === 0) return null;
  const [, before, word] = LAST_WORD.exec(text) ?? [];
  if (before === undefined || word === undefined || /(^|\s)or\s+$/iu.test(before)) return null;
  if ([...word].length < (UNPARTED.test(word) ? BEGUN_SIGNS : BEGUN_LETTERS)) return null;
  return { before: before.trim(), word };
}

/** Words that say where in a long text a match may stand, the longest first; what is left out is none of them. */
export function soughtWords(text: string): string[] {
  const words = text
    .split(/\s+/u)
    .filter((part) => !part.startsWith('-') && !/^or$/iu.test(part))
    .flatMap((part) => part.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}
