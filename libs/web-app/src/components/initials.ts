/** The first letters of the first and the last word; a question mark when there is no letter. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/u)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0])
    .filter((letter) => letter !== undefined);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.join('').toLocaleUpperCase() || '?';
}
