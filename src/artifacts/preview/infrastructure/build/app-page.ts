import { htmlPieces } from '../../domain/html-tags.js';
import type { BuildSource } from './build-source.js';
import { localPath } from './version-paths.js';

/** The page of an app that brings none. */
export const EMPTY_PAGE =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Preview</title>\n</head>\n<body>\n<div id="root"></div>\n</body>\n</html>\n';

/** A script or stylesheet of the page that the build takes over; offsets are in the page. */
export interface Reference {
  readonly kind: 'script' | 'style';
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What the build takes over of a page. */
export function referencesOf(page: string, pagePath: string, source: BuildSource): Reference[] {
  const found: Reference[] = [];
  for (const piece of htmlPieces(page)) {
    if (piece.kind !== 'tag') continue;
    const attribute = (name: string) => piece.attributes.find((one) => one.name === name);
    const isScript = piece.name === 'script' && attribute('type')?.value === 'module';
    const isStyle = piece.name === 'link' && attribute('rel')?.value.toLowerCase() === 'stylesheet';
    const address = attribute(isScript ? 'src' : 'href');
    if (!(isScript || isStyle) || address === undefined) continue;
    const path = localPath(address.value.split(/[?#]/, 1)[0]!, pagePath, source);
    if (path === null) continue;
    found.push({ kind: isScript ? 'script' : 'style', path, start: address.start, end: address.end });
  }
  return found;
}

/** Addresses of what was built from one entry. */
export interface Output {
  readonly script: string;
  readonly style: string | null;
}

/** The page with the built files in place of the sources, and every built stylesheet: also those of parts loaded later. */
export function linked(
  page: string,
  references: readonly Reference[],
  start: string | null,
  built: ReadonlyMap<string, Output>,
  sheets: readonly string[],
): string {
  let out = '';
  let done = 0;
  const named = new Set<string>();
  const styles = new Set<string>();
  for (const { path, start: from, end } of references) {
    const output = built.get(path)!;
    named.add(output.script);
    if (output.style !== null) styles.add(output.style);
    out += page.slice(done, from) + output.script;
    done = end;
  }
  out += page.slice(done);
  const own = start === null ? undefined : built.get(start);
  if (own?.style) styles.add(own.style);
  for (const sheet of sheets) styles.add(`/${sheet}`);
  const links = [...styles]
    .filter((style) => !named.has(style))
    .map((style) => `<link rel="stylesheet" href="${style}">`)
    .join('');
  const script = own === undefined ? '' : `<script type="module" src="${own.script}"></script>`;
  return insertBefore(insertBefore(out, /<\/head\s*>/i, links), /<\/body\s*>/i, script);
}

function insertBefore(page: string, place: RegExp, text: string): string {
  if (text === '') return page;
  const at = place.exec(page)?.index;
  return at === undefined ? page + text : page.slice(0, at) + text + page.slice(at);
}
