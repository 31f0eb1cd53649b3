/** Widths of letters in a sans serif of size 1, on the wide side; pictures are drawn where no font can be asked. */
const NARROW = new Set("fijlrtI.,:;'|!()[]{}-/\\ ");
const WIDE = new Set('mwMW@%—');
const FULL =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u;

export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * size * 1.07;
}

function widthOf(character: string): number {
  if (NARROW.has(character)) return 0.33;
  if (WIDE.has(character)) return 0.88;
  if (character >= 'a' && character <= 'z') return 0.55;
  if (character >= '0' && character <= '9') return 0.6;
  if (/\p{M}/u.test(character)) return 0;
  return FULL.test(character) ? 1.05 : 0.66;
}

/** The text, or as much of it as fits, with an ellipsis. */
export function fitted(text: string, room: number, size: number): string {
  const line = oneLine(text);
  if (textWidth(line, size) <= room) return line;
  let kept = '';
  let width = size;
  for (const character of line) {
    width += widthOf(character) * size * 1.07;
    if (width > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most `room`, broken at spaces; the last one is cut when there are more than `most`. */
export function wrapped(text: string, room: number, size: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || textWidth(longer, size) <= room) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  if (lines.length > most) lines.splice(most - 1, Infinity, lines.slice(most - 1).join(' '));
  return lines.map((one) => fitted(one, room, size));
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
