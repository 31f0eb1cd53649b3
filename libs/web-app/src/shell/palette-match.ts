import { plain } from './project-filter';

/** Whether every word stands somewhere in the text, in any case and with or without marks. No word matches all. */
export function matches(text: string, words: string): boolean {
  const within = plain(text);
  return split(words).every((word) => within.includes(word));
}

/** Where the words stand in the text, as [start, end) in UTF-16 units, in order and without overlap. */
export function matchRanges(text: string, words: string): readonly (readonly [number, number])[] {
  // Character by character, because taking the marks away changes the length.
  const letters: { at: number; length: number; plain: string }[] = [];
  let at = 0;
  for (const letter of text) {
    letters.push({ at, length: letter.length, plain: plain(letter) });
    at += letter.length;
  }
  const within = letters.map((each) => each.plain).join('');
  const origin = letters.flatMap((each) => Array.from({ length: each.plain.length }, () => each));
  const ranges: [number, number][] = [];
  for (const word of split(words)) {
    for (let found = within.indexOf(word); found !== -1; found = within.indexOf(word, found + word.length)) {
      const first = origin[found];
      const last = origin[found + word.length - 1];
      if (first && last) ranges.push([first.at, last.at + last.length]);
    }
  }
  ranges.sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const range of ranges) {
    const before = merged.at(-1);
    if (before && range[0] <= before[1]) before[1] = Math.max(before[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

function split(words: string): string[] {
  return plain(words).split(/\s+/u).filter(Boolean);
}
