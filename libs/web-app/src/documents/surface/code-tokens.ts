/** Class of a token; the sheet gives it its colour. */
export type TokenClass = 'tok-k' | 'tok-s' | 'tok-n' | 'tok-f' | 'tok-c';

/** Where a coloured stretch of the code begins and ends (UTF-16 code units), and its class. */
export type Token = readonly [start: number, end: number, name: TokenClass];

/** From the page to the worker. */
export interface CodeToPaint {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

/** From the worker to the page; null for code that stays plain. */
export interface PaintedCode {
  readonly id: number;
  readonly tokens: readonly Token[] | null;
}

/** The code cut at its tokens: every piece with its class, or null for what has none. Together they are the code. */
export function cutAtTokens(code: string, tokens: readonly Token[]): [string, TokenClass | null][] {
  const pieces: [string, TokenClass | null][] = [];
  let at = 0;
  for (const [start, end, name] of tokens) {
    if (start < at || end <= start || end > code.length) continue;
    if (start > at) pieces.push([code.slice(at, start), null]);
    pieces.push([code.slice(start, end), name]);
    at = end;
  }
  if (at < code.length) pieces.push([code.slice(at), null]);
  return pieces;
}
