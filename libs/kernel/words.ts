/**
 * Characters without a sign of their own that a text may carry inside or beside a word: direction marks, zero-width
 * spaces, soft hyphens. Joiners are no such characters: they are part of how a word is spelled.
 */
export const UNSEEN =
  '\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff';

const EACH_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');

/** A text for the index of words, or words to look for in it: those that read alike are alike. */
export function readable(text: string): string {
  return text.replace(EACH_UNSEEN, '');
}
