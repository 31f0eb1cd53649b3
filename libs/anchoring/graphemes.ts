const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** How far back a grapheme may have begun; longer ones than this do not occur in real text. */
const REACH = 512;

/**
 * Widens a span so that neither end lies inside a grapheme: a family emoji, a flag or a letter with
 * its marks is taken whole or not at all.
 */
export function widenToGraphemes(text: string, start: number, end: number): { start: number; end: number } {
  const from = boundary(text, start, 'before');
  return { start: from, end: Math.max(from, boundary(text, end, 'after')) };
}

function boundary(text: string, at: number, side: 'before' | 'after'): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  // Two plain ASCII neighbours are always two graphemes, but for CR LF, which plain text never holds.
  if (text.charCodeAt(at) < 128 && text.charCodeAt(at - 1) < 128) return at;
  // A line feed is always a boundary, so the segmenter may begin after one.
  let from = text.lastIndexOf('\n', at - 1) + 1;
  if (at - from > REACH) {
    from = at - REACH;
    const space = text.indexOf(' ', from);
    if (space >= 0 && space < at) from = space;
  }
  const segment = segmenter.segment(text.slice(from, at + REACH)).containing(at - from);
  if (segment === undefined || segment.index === at - from) return at;
  return side === 'before' ? from + segment.index : from + segment.index + segment.segment.length;
}
