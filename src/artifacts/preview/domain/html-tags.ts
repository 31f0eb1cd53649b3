/** An attribute of a start tag; offsets are in the source. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** As written, escapes and all. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A start tag, or the words inside a `style` element. */
export type HtmlPiece =
  | {
      readonly kind: 'tag';
      readonly name: string;
      readonly start: number;
      readonly end: number;
      readonly attributes: readonly HtmlAttribute[];
    }
  | { readonly kind: 'style'; readonly start: number; readonly end: number };

/** Elements whose content is no markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/** A tag with more attributes ends the reading: nobody writes one. */
const MOST_ATTRIBUTES = 2_000;

const NAME_END = /[\s/>]/g;
const NOT_SPACE = /[^\s/]/g;
const ATTRIBUTE_END = /[\s/>=]/g;
const AFTER_SPACE = /\S/g;
const UNQUOTED_END = /[\s>]/g;

/**
 * Start tags of a page and the content of its style elements, in order, in one pass over the text. It follows the rules
 * of browsers near enough to rewrite addresses; nothing that keeps a page safe stands on it.
 */
export function* htmlPieces(html: string): Generator<HtmlPiece> {
  let at = 0;
  // Found once and kept: a text full of openings without an end must not be searched again for each.
  const missing = new Set<string>();
  while (true) {
    const open = html.indexOf('<', at);
    if (open === -1) return;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      if (end === -1) return;
      at = end + 3;
      continue;
    }
    if (!/[A-Za-z]/.test(html[open + 1] ?? '')) {
      at = open + 1;
      continue;
    }
    const nameEnd = next(html, NAME_END, open + 1);
    if (nameEnd === html.length) return;
    const name = html.slice(open + 1, nameEnd).toLowerCase();
    const { attributes, end } = readAttributes(html, nameEnd);
    if (end > html.length) return;
    yield { kind: 'tag', name, start: open, end, attributes };
    at = end;
    if (name === 'plaintext') return;
    if (!RAW.has(name) || missing.has(name)) continue;
    const close = closingOf(html, name, end);
    if (close === -1) {
      missing.add(name);
      continue;
    }
    if (name === 'style') yield { kind: 'style', start: end, end: close };
    at = close;
  }
}

function readAttributes(html: string, from: number): { attributes: HtmlAttribute[]; end: number } {
  const attributes: HtmlAttribute[] = [];
  let at = from;
  while (true) {
    at = next(html, NOT_SPACE, at);
    if (at >= html.length || attributes.length > MOST_ATTRIBUTES) return { attributes, end: html.length + 1 };
    if (html[at] === '>') return { attributes, end: at + 1 };
    const nameEnd = next(html, ATTRIBUTE_END, at + 1);
    const name = html.slice(at, nameEnd).toLowerCase();
    const sign = next(html, AFTER_SPACE, nameEnd);
    if (html[sign] !== '=') {
      at = nameEnd;
      continue;
    }
    const begin = next(html, AFTER_SPACE, sign + 1);
    const quote = html[begin];
    if (quote === '"' || quote === "'") {
      const close = html.indexOf(quote, begin + 1);
      if (close === -1) return { attributes, end: html.length + 1 };
      attributes.push({ name, value: html.slice(begin + 1, close), start: begin + 1, end: close });
      at = close + 1;
    } else {
      const close = next(html, UNQUOTED_END, begin);
      attributes.push({ name, value: html.slice(begin, close), start: begin, end: close });
      at = close;
    }
  }
}

function next(text: string, sign: RegExp, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
}

function closingOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? -1;
}
