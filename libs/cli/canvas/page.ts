import { type CanvasSource, isLogic } from './canvas-source.js';
import {
  attributeOf,
  byTag,
  type ElementNode,
  escapeAttribute,
  escapeText,
  type Node,
  textOf,
  toHtml,
} from './html-tree.js';
import { remoteUrls } from './template.js';

const REMOTE = /^(?:https?:)?\/\//i;
const HINTS = /^(preconnect|dns-prefetch|preload|prefetch|modulepreload)$/i;

/** What goes round the markup of a canvas. */
export interface PageFrame {
  readonly warnings: readonly string[];
  /** @param scripts addresses of the scripts, the runtime first; none for a static page */
  html(markup: string, rules: readonly string[], scripts: readonly string[]): string;
}

/** @param styles of the parts that the canvas imports */
export function pageFrame(canvas: CanvasSource, styles: readonly Node[]): PageFrame {
  const warnings: string[] = [];
  const seen = new Set<string>();
  const kept = [...canvas.head, ...styles, ...canvas.helmet]
    .flatMap((node) => keep(node, canvas.path, warnings))
    .filter((text) => !/^<meta [^>]*charset/i.test(text) && !seen.has(text) && seen.add(text));
  const title = titleOf(canvas);
  const has = (pattern: RegExp) => kept.some((text) => pattern.test(text));
  const head = [
    // First of all, since it says how the rest is read; files of a push are UTF-8.
    '<meta charset="utf-8">',
    ...(has(/^<meta [^>]*name="viewport"/i)
      ? []
      : ['<meta name="viewport" content="width=device-width, initial-scale=1">']),
    `<title>${escapeText(title)}</title>`,
    ...kept,
  ];
  const around = surroundings(canvas, warnings);
  const inHead = [...kept, ...around.before, ...around.after].some((text) =>
    /^<script(?![^>]*type="(?!text\/javascript|module))/i.test(text),
  );
  return {
    warnings,
    html: (markup, rules, scripts) =>
      [
        '<!doctype html>',
        `<html${attributesOf(canvas.html, 'lang="en"')}>`,
        '<head>',
        // Scripts of the head may want React.
        ...(scripts.length > 0 && inHead ? [tagOf(scripts[0]!)] : []),
        ...head,
        ...(rules.length > 0 ? [`<style>${rules.join('\n')}</style>`] : []),
        '</head>',
        `<body${attributesOf(canvas.body, '')}>`,
        ...around.before,
        `<div id="canvas-root" style="display:contents">${markup}</div>`,
        ...around.after,
        ...scripts.slice(inHead ? 1 : 0).map(tagOf),
        '</body>',
        '</html>',
        '',
      ].join('\n'),
  };
}

function tagOf(src: string): string {
  return `<script src="${escapeAttribute(src)}"></script>`;
}

/** A part of the head as it stays, or nothing. */
function keep(node: Node, path: string, warnings: string[]): string[] {
  if (node.kind === 'text') return [];
  const tag = node.tag.toLowerCase();
  if (tag === 'title' || tag === 'base' || (tag === 'script' && isDropped(node))) return [];
  if (tag === 'link') return keepLink(node, path, warnings);
  if (tag === 'style') {
    const css = withoutImports(textOf(node), path, warnings);
    for (const url of remoteUrls(css))
      warnings.push(`${path}: ${url} stays; without network it does not load`);
    return [`<style>${css}</style>`];
  }
  const src = attributeOf(node, 'src')?.value ?? '';
  if (REMOTE.test(src)) warnings.push(`${path}: ${src} stays; without network it does not load`);
  return [toHtml(node)];
}

function keepLink(node: ElementNode, path: string, warnings: string[]): string[] {
  const href = attributeOf(node, 'href')?.value ?? '';
  if (!REMOTE.test(href)) return [toHtml(node)];
  const rel = attributeOf(node, 'rel')?.value ?? '';
  if (!HINTS.test(rel)) warnings.push(`${path}: ${href} was left out, so that the page needs no network`);
  return [];
}

function withoutImports(css: string, path: string, warnings: string[]): string {
  return css.replace(
    /@import\s+(?:url\()?\s*["']?((?:https?:)?\/\/[^"')\s]+)["']?\s*\)?[^;]*;?/gi,
    (_, url: string) => {
      warnings.push(`${path}: ${url} was left out, so that the page needs no network`);
      return '';
    },
  );
}

function isDropped(script: ElementNode): boolean {
  return isLogic(script) || /(^|\/)support\.js([?#]|$)/.test(attributeOf(script, 'src')?.value ?? '');
}

/** What stands in the body beside the canvas. */
function surroundings(canvas: CanvasSource, warnings: string[]) {
  const nodes = canvas.body?.children ?? [];
  const at = nodes.indexOf(canvas.canvas);
  const side = (part: readonly Node[]) =>
    part.flatMap((node) => {
      if (node.kind === 'text') return node.text.trim() === '' ? [] : [toHtml(node)];
      if (byTag('script')(node) && isDropped(node)) return [];
      const src = attributeOf(node, 'src')?.value ?? '';
      if (REMOTE.test(src)) warnings.push(`${canvas.path}: ${src} stays; without network it does not load`);
      return [toHtml(node)];
    });
  return at === -1
    ? { before: [], after: [] }
    : { before: side(nodes.slice(0, at)), after: side(nodes.slice(at + 1)) };
}

function titleOf(canvas: CanvasSource): string {
  const titles = [...canvas.helmet, ...canvas.head].filter(
    (node) => node.kind === 'element' && byTag('title')(node),
  );
  const first = titles[0] as ElementNode | undefined;
  return (first ? textOf(first).trim() : '') || canvas.name;
}

function attributesOf(element: ElementNode | null, otherwise: string): string {
  const attributes = element?.attributes ?? [];
  if (attributes.length === 0) return otherwise ? ` ${otherwise}` : '';
  return attributes.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

/** Styles of a part that its importers need too. */
export function stylesOf(canvas: CanvasSource): Node[] {
  return canvas.helmet.filter(
    (node) => node.kind === 'element' && (byTag('style')(node) || byTag('link')(node)),
  );
}
