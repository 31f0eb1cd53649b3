import type { Anchor } from '#libs/anchoring/anchor.js';

const WORD_AT_END = /[\p{L}\p{N}\p{M}_]+$/u;
const WORD_AT_START = /^[\p{L}\p{N}\p{M}_]+/u;

/** The quote as an agent reads it: a word that the selection cut is made whole from what stands around it. */
export function wholeWords(anchor: Anchor): string {
  const before = WORD_AT_START.test(anchor.quote) ? (WORD_AT_END.exec(anchor.prefix)?.[0] ?? '') : '';
  const after = WORD_AT_END.test(anchor.quote) ? (WORD_AT_START.exec(anchor.suffix)?.[0] ?? '') : '';
  return before + anchor.quote + after;
}
