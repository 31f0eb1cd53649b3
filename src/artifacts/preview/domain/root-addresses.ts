import { type HtmlAttribute, htmlPieces } from './html-tags.js';

const SINGLE = new Set(
  'src href poster data action formaction background xlink:href manifest longdesc cite'.split(' '),
);
const SETS = new Set(['srcset', 'imagesrcset']);
const BOUNDARY = /[;}]/g;
const CSS_ADDRESS = /(url\(\s*["']?|@import\s+["'])\/(?!\/)/gi;

/** Signs of a stylesheet that are rewritten in one step. */
const STEP = 65_536;

/**
 * Puts a path before every root-absolute address in attributes and styles of a page (`artifacts.md` 10.2), so that
 * `/style.css` is found where the files of the artifact lie. Addresses that a script builds stay as they are. The parts
 * make the page when they are joined; between two of them somebody else may work.
 * @param base path with a slash at both ends
 */
export function* rewrittenHtml(html: string, base: string): Generator<string> {
  let done = 0;
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'style') {
      yield html.slice(done, piece.start);
      yield* rewrittenCss(html.slice(piece.start, piece.end), base);
      done = piece.end;
      continue;
    }
    for (const attribute of piece.attributes) {
      const changed = rewriteAttribute(attribute, base);
      if (changed === attribute.value) continue;
      yield html.slice(done, attribute.start) + changed;
      done = attribute.end;
    }
    // Also where nothing was changed, so that a long page has many ends of steps.
    yield '';
  }
  yield html.slice(done);
}

/** The same for a stylesheet. */
export function* rewrittenCss(css: string, base: string): Generator<string> {
  for (let at = 0; at < css.length; ) {
    // No address holds these signs before its slash, so none is cut in two.
    BOUNDARY.lastIndex = at + STEP;
    const end = BOUNDARY.exec(css)?.index ?? css.length;
    yield rewriteCss(css.slice(at, end), base);
    at = end;
  }
}

function rewriteCss(css: string, base: string): string {
  return css.replace(CSS_ADDRESS, `$1${base}`);
}

function rewriteAttribute({ name, value }: HtmlAttribute, base: string): string {
  if (SINGLE.has(name)) return value.replace(/^(\s*)\/(?!\/)/, `$1${base}`);
  if (SETS.has(name)) return value.replace(/(^|,)(\s*)\/(?!\/)/g, `$1$2${base}`);
  if (name === 'style') return rewriteCss(value, base);
  return value;
}
