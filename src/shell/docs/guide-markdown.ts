import type { Element, ElementContent, Nodes, Root } from 'hast';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import type { Nodes as MarkdownNodes, Root as MarkdownRoot } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { Html } from '#src/identity/interface/http/pages/html.js';

/** A heading below the title. */
export interface GuideHeading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** A place of a page that the server fills in: `<!-- tools -->` alone in its block, and `sections` below the title. */
export interface GuideInsert {
  readonly insert: string;
}

export interface ParsedGuide {
  readonly title: string;
  /** First sentence below the title; empty when something else stands there. */
  readonly lead: string;
  readonly headings: readonly GuideHeading[];
  readonly targets: readonly GuideTarget[];
  /** Makes the page, with each target as `resolve` gives it; null leaves the words and drops the link. */
  render(resolve: Resolve): readonly (Html | GuideInsert)[];
}

/** Where a link leads or a picture is, as it is written. */
export interface GuideTarget {
  readonly kind: 'link' | 'picture';
  readonly target: string;
}

type Resolve = (target: GuideTarget) => ResolvedTarget | null;

export interface ResolvedTarget {
  readonly url: string;
  /** Pixels of a picture, so that the text below it does not jump. */
  readonly width?: number;
  readonly height?: number;
}

/** Nothing but text, links and pictures: raw HTML of a guide is dropped before. */
const SCHEMA: Schema = {
  ...defaultSchema,
  clobberPrefix: '',
  attributes: {
    ...defaultSchema.attributes,
    div: ['dataInsert'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    h1: ['id'],
    h2: ['id'],
    h3: ['id'],
    h4: ['id'],
  },
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: ['https'] },
};

/** Characters of code that stay in one line. */
const UNBROKEN = 20;

const INSERT = /^<!-- ([a-z]+) -->$/;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** Reads a guide: GitHub's Markdown, the title as its one heading of level 1. @throws Error without a title. */
export function parseGuide(markdown: string): ParsedGuide {
  const tree = parser.parse(markdown) as MarkdownRoot;
  const first = tree.children[0];
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('A guide begins with its title.');
  const headings = nameHeadings(tree);
  const targets: GuideTarget[] = [];
  for (const node of nodesOf(tree)) {
    if (node.type === 'link' || node.type === 'definition') targets.push({ kind: 'link', target: node.url });
    if (node.type === 'image') targets.push({ kind: 'picture', target: node.url });
    if (node.type === 'html') {
      const [, insert] = INSERT.exec(node.value) ?? [];
      // A node that no rule of HTML knows becomes the element that it names.
      if (insert) node.data = { ...node.data, hName: 'div', hProperties: { dataInsert: insert } } as object;
      if (insert) Object.assign(node, { type: 'insert' });
    }
  }
  return {
    title: textOf(first),
    lead: leadOf(tree),
    headings,
    targets,
    render: (resolve) => partsOf(htmlOf(tree, resolve)),
  };
}

function leadOf(tree: MarkdownRoot): string {
  const second = tree.children[1];
  if (second?.type !== 'paragraph') return '';
  const words = textOf(second).replace(/\s+/g, ' ');
  return /^.*?[.!?](?=\s|$)/.exec(words)?.[0] ?? words;
}

/** Gives headings the ids that GitHub gives them, so that links hold in both places. */
function nameHeadings(tree: MarkdownRoot): GuideHeading[] {
  const times = new Map<string, number>();
  const headings: GuideHeading[] = [];
  for (const node of nodesOf(tree)) {
    if (node.type !== 'heading') continue;
    const text = textOf(node).trim();
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const seen = times.get(name) ?? 0;
    times.set(name, seen + 1);
    const id = seen === 0 ? name : `${name}-${seen}`;
    node.data = { ...node.data, hProperties: { id } };
    if (node.depth > 1) headings.push({ id, level: node.depth, text });
  }
  return headings;
}

function nodesOf(root: MarkdownRoot): MarkdownNodes[] {
  const found: MarkdownNodes[] = [];
  const waiting: MarkdownNodes[] = [root];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    found.push(node);
    if ('children' in node) waiting.unshift(...node.children);
  }
  return found;
}

function htmlOf(tree: MarkdownRoot, resolve: Resolve): Root {
  const root = sanitize(unified().use(remarkRehype).runSync(tree) as Root, SCHEMA) as Root;
  decorate(root, resolve);
  return root;
}

function decorate(parent: Root | Element, resolve: Resolve): void {
  parent.children = (parent.children as ElementContent[]).flatMap((node) => {
    if (node.type !== 'element') return [node];
    decorate(node, resolve);
    return decorated(node, resolve);
  });
}

function decorated(node: Element, resolve: Resolve): ElementContent[] {
  switch (node.tagName) {
    case 'a': {
      const target = resolve({ kind: 'link', target: String(node.properties.href ?? '') });
      if (!target) return node.children;
      node.properties.href = target.url;
      return [node];
    }
    case 'img': {
      const target = resolve({ kind: 'picture', target: String(node.properties.src ?? '') });
      if (!target) return [{ type: 'text', value: String(node.properties.alt ?? '') }];
      Object.assign(node.properties, {
        src: target.url,
        width: target.width,
        height: target.height,
        loading: 'lazy',
      });
      return [node];
    }
    case 'pre':
      // A block that scrolls must be reachable by keyboard.
      node.properties.tabIndex = 0;
      return [element('div', { className: ['codeblock'] }, [node])];
    case 'code':
      keepTogether(node);
      return [node];
    case 'table':
      return [withLabels(node)];
    case 'h2':
    case 'h3':
    case 'h4':
      // For the hand alone: by keyboard the same addresses are in the list of sections.
      node.children.push(
        element(
          'a',
          { className: ['guide__anchor'], href: `#${node.properties.id}`, tabIndex: -1, ariaHidden: 'true' },
          [{ type: 'text', value: '#' }],
        ),
      );
      return [node];
    default:
      return [node];
  }
}

/** Short code stays in one line; longer one breaks after its signs, so that columns of names need not be wide. */
function keepTogether(code: Element): void {
  const words = wordsOf(code);
  // Only blocks hold line breaks.
  if (words.includes('\n')) return;
  if (words.length <= UNBROKEN) code.properties.className = ['nowrap'];
  else
    code.children = words
      .split(/(?<=[._/,=&?])/)
      .flatMap((part, at) => [
        ...(at > 0 ? [element('wbr', {}, [])] : []),
        { type: 'text' as const, value: part },
      ]);
}

/** On a narrow screen the cells of a row stand below each other, each with the name of its column. */
function withLabels(table: Element): Element {
  const rows = elementsOf(table, 'tr');
  const names = elementsOf(rows[0]!, 'th').map(wordsOf);
  for (const row of rows) {
    elementsOf(row, 'td').forEach((cell, at) => {
      if (at > 0 && names[at]) cell.properties.dataLabel = names[at];
    });
  }
  return table;
}

function elementsOf(parent: Element, tagName: string): Element[] {
  return parent.children.flatMap((child) =>
    child.type !== 'element' ? [] : child.tagName === tagName ? [child] : elementsOf(child, tagName),
  );
}

function wordsOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}

function element(tagName: string, properties: Element['properties'], children: ElementContent[]): Element {
  return { type: 'element', tagName, properties, children };
}

/** Cuts the page where something is to be filled in. */
function partsOf(root: Root): (Html | GuideInsert)[] {
  const parts: (Html | GuideInsert)[] = [];
  let run: Root['children'] = [];
  const close = () => {
    if (run.some((node) => node.type !== 'text'))
      parts.push(new Html(toHtml({ type: 'root', children: run })));
    run = [];
  };
  const [title, ...rest] = root.children;
  parts.push(new Html(toHtml(title!)), { insert: 'sections' });
  for (const node of rest) {
    const insert = node.type === 'element' ? node.properties.dataInsert : undefined;
    if (insert === undefined) run.push(node);
    else {
      close();
      parts.push({ insert: String(insert) });
    }
  }
  close();
  return parts;
}
