/** JSON of one answer, in characters, unless the caller asks for more: clients refuse longer ones. */
export const ANSWER_CHARACTERS = 20_000;

/** Characters of the JSON of a value. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The beginning of a text whose JSON has at most that many characters, without the quotes; cut between characters. */
export function beginningWithin(text: string, characters: number): string {
  if (jsonLength(text) - 2 <= characters) return text;
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += jsonLength(character) - 2;
    if (length > characters) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** A text for a list: whole, or its beginning with an ellipsis. */
export function shortened(text: string, characters: number): string {
  if (jsonLength(text) - 2 <= characters) return text;
  return `${beginningWithin(text, Math.max(characters - 1, 0)).trimEnd()}…`;
}

/** The first items whose JSON together stays within that many characters. */
export function firstWithin<T>(items: readonly T[], characters: number): readonly T[] {
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += jsonLength(item) + 1;
    if (length > characters) return items.slice(0, index);
  }
  return items;
}
