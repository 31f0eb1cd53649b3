import type { Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Root as MarkdownRoot } from 'mdast';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { mintAddresses } from './addresses.js';
import { isCostly } from './costly-text.js';
import { markInvisible } from './invisible-characters.js';
import { Marks } from './marks.js';
import { mintControls } from './mint-controls.js';
import { sanitiseTree } from './sanitise.js';

/** What the smaller dialect leaves as it is written. */
const WRITTEN_OUT = [
  'blockQuote',
  'definition',
  'headingAtx',
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'setextUnderline',
  'thematicBreak',
];

/** Lists nested deeper than this in a comment show as they were written. */
const DEEP_LIST = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){20}/m;

/** Signs that may open something, and lines; with more of either the parser takes seconds. */
const MOST_SIGNS = 3_000;
const MOST_LINES = 2_000;

const parser = unified().use(remarkParse).use(smallDialect).freeze();
const toTree = unified().use(remarkRehype, { clobberPrefix: '' }).freeze();

/**
 * HTML of a comment, reply, note or finding: paragraphs, emphasis, inline and fenced code, links and
 * lists. Everything else, HTML too, shows as it was written. Bodies have at most 64 KB; one that would
 * take the parser long shows as it was written altogether.
 */
export function renderCommentMarkdown(markdown: string): string {
  if (DEEP_LIST.test(markdown) || isCostly(markdown, MOST_SIGNS, MOST_LINES)) return asWritten(markdown);
  try {
    const tree = toTree.runSync(parser.parse(markdown) as MarkdownRoot) as Root;
    const marks = new Marks();
    const root = sanitiseTree(tree, marks);
    mintAddresses(root);
    mintControls(root, marks, []);
    markInvisible(root);
    return serialised(root);
  } catch {
    return asWritten(markdown);
  }
}

function asWritten(markdown: string): string {
  return serialised({
    type: 'root',
    children: [
      {
        type: 'element',
        tagName: 'pre',
        properties: {},
        children: [
          { type: 'element', tagName: 'code', properties: {}, children: [{ type: 'text', value: markdown }] },
        ],
      },
    ],
  });
}

function serialised(root: Root): string {
  for (const child of root.children) if (child.type === 'element') child.properties.dir ??= 'auto';
  return toHtml(root);
}

function smallDialect(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    gfmAutolinkLiteral(),
    { disable: { null: WRITTEN_OUT } },
  ];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmAutolinkLiteralFromMarkdown()];
}
