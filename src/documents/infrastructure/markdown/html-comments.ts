/** A stretch of raw HTML: a comment with its text, or anything else. */
export type HtmlPart = { readonly comment: string } | { readonly raw: string };

/** Parts of a raw HTML node in order; blank stretches between comments are left out. Linear. */
export function htmlParts(value: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  let at = 0;
  while (at < value.length) {
    const open = value.indexOf('<!--', at);
    const raw = value.slice(at, open < 0 ? value.length : open);
    if (raw.trim() !== '') parts.push({ raw });
    if (open < 0) break;
    // The two short forms that HTML closes at once.
    const short = /^<!--(?:-?>)/.exec(value.slice(open, open + 6));
    if (short !== null) {
      at = open + short[0].length;
      continue;
    }
    const close = value.indexOf('-->', open + 4);
    parts.push({ comment: value.slice(open + 4, close < 0 ? value.length : close) });
    at = close < 0 ? value.length : close + 3;
  }
  return parts;
}

/** The text of a node that is one comment and nothing else, else null. */
export function soleComment(value: string): string | null {
  const parts = htmlParts(value);
  const [part] = parts;
  return parts.length === 1 && part !== undefined && 'comment' in part ? part.comment.trim() : null;
}
