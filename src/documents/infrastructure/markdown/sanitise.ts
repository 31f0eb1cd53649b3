import type { Element, ElementContent, Nodes, Root } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import type { Marks } from './marks.js';

const ALLOWED =
  'h1 h2 h3 h4 h5 h6 p blockquote pre code hr br div span ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
  'a img em strong i b s u del ins sub sup mark small abbr kbd samp var q cite';

const REMOVED_WITH_CONTENT =
  'script style template noscript noembed noframes iframe frame frameset object embed applet svg math canvas audio ' +
  'video source track link meta base head title';

/** Boxes that lose their kind but keep their words apart from those beside them. */
const PLAIN_BOXES: ReadonlySet<string> = new Set(
  (
    'address article aside center details dialog dir fieldset figcaption figure footer form header hgroup legend main ' +
    'menu nav optgroup option search section summary'
  ).split(' '),
);

const LANGUAGE = /^language-[A-Za-z0-9+#._-]{1,40}$/;
const MAX_SPAN = 100;
const MAX_PIXELS = 4_000;

/**
 * Cuts a tree down to the allow list of `documents.md` 4.5. Other elements lose their tag and keep
 * their text; the listed ones go with what is in them. Links and images still hold addresses as
 * they were written: `mintAddresses` judges those.
 */
export function sanitiseTree(tree: Root, marks: Marks): Root {
  eachElement(tree, (element) => {
    if (PLAIN_BOXES.has(element.tagName)) element.tagName = 'div';
  });
  const safe = sanitize(tree, schemaOf(marks)) as Nodes;
  const root: Root = safe.type === 'root' ? safe : { type: 'root', children: [safe as ElementContent] };
  eachElement(root, tidyElement);
  return root;
}

function schemaOf(marks: Marks): Schema {
  return {
    allowComments: false,
    allowDoctypes: false,
    ancestors: {
      caption: ['table'],
      tbody: ['table'],
      td: ['table'],
      tfoot: ['table'],
      th: ['table'],
      thead: ['table'],
      tr: ['table'],
    },
    attributes: {
      '*': [['dataMark', marks.pattern]],
      a: ['href', 'title'],
      abbr: ['title'],
      code: [['className', LANGUAGE]],
      img: ['alt', 'height', 'src', 'title', 'width'],
      ol: ['start'],
      td: [['align', 'left', 'center', 'right', 'justify'], 'colSpan', 'rowSpan'],
      th: [
        ['align', 'left', 'center', 'right', 'justify'],
        'colSpan',
        'rowSpan',
        ['scope', 'col', 'row', 'colgroup', 'rowgroup'],
      ],
    },
    clobber: [],
    protocols: {},
    required: {},
    strip: REMOVED_WITH_CONTENT.split(' '),
    tagNames: ALLOWED.split(' '),
  };
}

function eachElement(root: Nodes, visit: (element: Element) => void): void {
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'element') visit(node);
    if ('children' in node) for (const child of node.children) waiting.push(child as Nodes);
  }
}

/** Bounds numbers and gives every `pre` its `code`, so that the first line feed survives parsing. */
function tidyElement(element: Element): void {
  const { properties } = element;
  bound(properties, 'colSpan', 1, MAX_SPAN);
  bound(properties, 'rowSpan', 1, MAX_SPAN);
  bound(properties, 'width', 1, MAX_PIXELS);
  bound(properties, 'height', 1, MAX_PIXELS);
  bound(properties, 'start', -2_147_483_648, 2_147_483_647);
  if (element.tagName === 'pre' && !isSoleCode(element.children)) {
    element.children = [{ type: 'element', tagName: 'code', properties: {}, children: element.children }];
  }
}

function isSoleCode(children: readonly ElementContent[]): boolean {
  const [child] = children;
  return children.length === 1 && child?.type === 'element' && child.tagName === 'code';
}

function bound(properties: Element['properties'], name: string, least: number, most: number): void {
  const value = properties[name];
  if (value === undefined) return;
  const number = typeof value === 'number' ? value : Number(value);
  if (!Number.isInteger(number) || number < least || number > most) delete properties[name];
}
