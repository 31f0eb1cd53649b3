import { type HtmlAttribute, htmlPieces } from './html-tags.js';

const SINGLE = new Set(
  'src href poster data action formaction background xlink:href manifest longdesc cite'.split(' '),
);
const SETS = new Set(['srcset', 'imagesrcset']);
const CSS_ADDRESS = /(url\(\s*["']?|@import\s+["'])\/(?!\/)/gi;

/**
 * Puts a path before every root-absolute address in attributes and styles of a page (`artifacts.md` 10.2), so that
 * `/style.css` is found where the files of the artifact lie. Addresses that a script builds stay as they are.
 * @param base path with a slash at both ends
 */
export function rewriteHtml(html: string, base: string): string {
  const out: string[] = [];
  let done = 0;
  const replace = (start: number, end: number, text: string): void => {
    out.push(html.slice(done, start), text);
    done = end;
  };
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'style') {
      replace(piece.start, piece.end, rewriteCss(html.slice(piece.start, piece.end), base));
      continue;
    }
    for (const attribute of piece.attributes) {
      const changed = rewriteAttribute(attribute, base);
      if (changed !== attribute.value) replace(attribute.start, attribute.end, changed);
    }
  }
  out.push(html.slice(done));
  return out.join('');
}

/** The same for a stylesheet. */
export function rewriteCss(css: string, base: string): string {
  return css.replace(CSS_ADDRESS, `$1${base}`);
}

function rewriteAttribute({ name, value }: HtmlAttribute, base: string): string {
  if (SINGLE.has(name)) return value.replace(/^(\s*)\/(?!\/)/, `$1${base}`);
  if (SETS.has(name)) return value.replace(/(^|,)(\s*)\/(?!\/)/g, `$1$2${base}`);
  if (name === 'style') return rewriteCss(value, base);
  return value;
}
