const OPENERS: ReadonlySet<number> = new Set([...'[]<*_~`&!'].map((sign) => sign.charCodeAt(0)));

/**
 * True for a text with so many signs that may open something, or so many lines, that the parser may
 * take far longer than its size suggests. Linear.
 */
export function isCostly(markdown: string, mostSigns: number, mostLines: number): boolean {
  let signs = 0;
  let lines = 0;
  for (let at = 0; at < markdown.length; at++) {
    const code = markdown.charCodeAt(at);
    if (code === 10) lines += 1;
    else if (OPENERS.has(code)) signs += 1;
  }
  return signs > mostSigns || lines > mostLines;
}
