/** One piece of a text: as it is, or an expression with the offset of its first sign in the text. */
export type Piece =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'expression'; readonly text: string; readonly offset: number };

/** Splits a text at its `{{ … }}`. Braces and quotes inside of an expression are minded. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('{{', at);
    const end = start === -1 ? -1 : endOf(text, start + 2);
    if (end === -1) break;
    if (start > at) pieces.push({ kind: 'plain', text: text.slice(at, start) });
    pieces.push({ kind: 'expression', text: text.slice(start + 2, end), offset: start + 2 });
    at = end + 2;
  }
  if (at < text.length) pieces.push({ kind: 'plain', text: text.slice(at) });
  return pieces;
}

function endOf(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'" || sign === '`') quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      if (depth === 0) return text[at + 1] === '}' ? at : -1;
      depth -= 1;
    }
  }
  return -1;
}
