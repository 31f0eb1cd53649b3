import { CanvasError, lineAt } from './canvas-error.js';
import { attributeOf, byTag, type ElementNode, find, htmlTree, type Node, textOf } from './html-tree.js';
import { hasJsx, withoutJsx } from './jsx.js';
import { dynamicImportLine } from './script-check.js';

/** A canvas taken apart. */
export interface CanvasSource {
  /** Path in the set of files. */
  readonly path: string;
  /** Name under which others import it. */
  readonly name: string;
  readonly text: string;
  readonly html: ElementNode | null;
  readonly head: readonly Node[];
  readonly helmet: readonly Node[];
  readonly body: ElementNode | null;
  readonly canvas: ElementNode;
  /** What `<x-dc>` holds beside `<helmet>`. */
  readonly template: ElementNode;
  readonly logic: { readonly code: string; readonly line: number } | null;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** Whether a file holds a canvas, whatever it is called. */
export function isCanvas(text: string): boolean {
  return /<x-dc[\s>]/i.test(text);
}

/** What the canvas of a file is called: its name without folders and endings. */
export function canvasName(path: string): string {
  return path
    .split('/')
    .at(-1)!
    .replace(/(\.dc)?\.html?$/i, '');
}

/** @throws CanvasError */
export function readCanvas(path: string, text: string): CanvasSource {
  const tree = htmlTree(text);
  const canvas = find(tree, byTag('x-dc'));
  if (!canvas) throw new CanvasError(path, 1, 'the file holds no <x-dc> element');
  const helmets = canvas.children.filter(
    (node) => node.kind === 'element' && byTag('helmet')(node),
  ) as ElementNode[];
  const html = find(tree, byTag('html'));
  const head = find(tree, byTag('head'));
  const script = find(tree, (element) => byTag('script')(element) && isLogic(element));
  return {
    path,
    name: canvasName(path),
    text,
    html,
    head: head?.children ?? [],
    helmet: helmets.flatMap(({ children }) => children),
    body: find(tree, byTag('body')),
    canvas,
    template: {
      ...canvas,
      children: canvas.children.filter((node) => !helmets.includes(node as ElementNode) && node !== script),
    },
    logic: script ? logicOf(path, text, script) : null,
    defaults: script ? defaultsOf(path, text, script) : {},
  };
}

export function isLogic(element: ElementNode): boolean {
  return (
    attributeOf(element, 'data-dc-script') !== null || attributeOf(element, 'type')?.value === 'text/x-dc'
  );
}

function logicOf(path: string, text: string, script: ElementNode) {
  const line = lineAt(text, script.inside);
  const source = textOf(script);
  const fail = (error: { loc?: { line: number }; message: string }) =>
    new CanvasError(path, line + (error.loc?.line ?? 1) - 1, error.message.replace(/ \(\d+:\d+\)$/, ''));
  try {
    const code = hasJsx(source) ? withoutJsx(source) : source;
    // A module could load another one, which neither this program nor the page would allow.
    const loads = dynamicImportLine(code);
    if (loads !== null)
      throw new CanvasError(path, line + loads - 1, 'import() is not allowed: nothing can be loaded');
    return { code, line };
  } catch (error) {
    throw error instanceof CanvasError ? error : fail(error as Error);
  }
}

function defaultsOf(path: string, text: string, script: ElementNode): Record<string, unknown> {
  const attribute = attributeOf(script, 'data-props');
  if (!attribute || attribute.value.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(attribute.value);
  } catch (error) {
    throw new CanvasError(
      path,
      lineAt(text, attribute.offset),
      `data-props is no JSON: ${(error as Error).message}`,
    );
  }
  const entries = Object.entries((value ?? {}) as Record<string, { default?: unknown } | null>);
  return Object.fromEntries(
    entries.flatMap(([key, about]) =>
      key.startsWith('$') || about === null || typeof about !== 'object' || !('default' in about)
        ? []
        : [[key, about.default]],
    ),
  );
}
