/** Characters that change how code reads without being seen; the same set as the renderer's. */
export const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** "U+202E" for the mark that stands for such a character. */
export function nameOfInvisible(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
