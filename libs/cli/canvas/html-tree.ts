import { Token, Tokenizer, TokenizerMode } from 'parse5';

export interface Attribute {
  /** As it was written; HTML itself knows no case. */
  readonly name: string;
  readonly value: string;
  readonly offset: number;
}

export interface ElementNode {
  readonly kind: 'element';
  /** As it was written. */
  readonly tag: string;
  readonly attributes: readonly Attribute[];
  readonly children: Node[];
  readonly offset: number;
  /** Of the first sign after the start tag. */
  readonly inside: number;
}

export interface TextNode {
  readonly kind: 'text';
  text: string;
  readonly offset: number;
}

export type Node = ElementNode | TextNode;

export const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const RAW: Readonly<Record<string, number>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
};

/** Which open element an element of this name closes, where its end tag may be left out. */
const CLOSES: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  option: ['option'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
};

/**
 * The elements of a canvas as they were written. A browser's tree builder would move `<sc-for>` out of tables and forget
 * the case of names; here the tokens are a browser's and the tree is that of the text.
 */
export function htmlTree(html: string): ElementNode {
  const root: ElementNode = {
    kind: 'element',
    tag: '#root',
    attributes: [],
    children: [],
    offset: 0,
    inside: 0,
  };
  const open: ElementNode[] = [root];
  const top = () => open[open.length - 1]!;
  const addText = (text: string, offset: number) => {
    const last = top().children.at(-1);
    if (last?.kind === 'text') last.text += text;
    else top().children.push({ kind: 'text', text, offset });
  };
  const onText = (token: Token.CharacterToken) => addText(token.chars, token.location?.startOffset ?? 0);

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const offset = token.location!.startOffset;
        const element: ElementNode = {
          kind: 'element',
          tag: html.slice(offset + 1, offset + 1 + token.tagName.length),
          attributes: token.attrs.map(({ name, value }) => {
            const at = token.location!.attrs?.[name]?.startOffset ?? offset;
            return { name: html.slice(at, at + name.length), value, offset: at };
          }),
          children: [],
          offset,
          inside: token.location!.endOffset,
        };
        closeImplied(open, token.tagName);
        top().children.push(element);
        if (VOID.has(token.tagName) || token.selfClosing) return;
        open.push(element);
        const mode = RAW[token.tagName];
        if (mode !== undefined) {
          tokenizer.state = mode as never;
          tokenizer.lastStartTagName = token.tagName;
        }
      },
      onEndTag(token) {
        const at = open.findLastIndex(({ tag }) => tag.toLowerCase() === token.tagName);
        if (at > 0) open.length = at;
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: () => undefined,
      onComment: () => undefined,
      onDoctype: () => undefined,
      onEof: () => undefined,
    },
  );
  tokenizer.write(html, true);
  return root;
}

function closeImplied(open: ElementNode[], tag: string): void {
  const closed = CLOSES[tag];
  if (!closed) return;
  for (let at = open.length - 1; at > 0; at -= 1) {
    const name = open[at]!.tag.toLowerCase();
    if (closed.includes(name)) {
      open.length = at;
      // A row also closes the cell in it.
      if (tag !== 'tr' || name === 'tr') return;
    } else if (/^(sc-for|sc-if|ul|ol|dl|table|tbody|thead|tfoot|select|div)$/.test(name)) return;
  }
}

/** The first element of that name at any depth, or null. */
export function find(node: ElementNode, test: (element: ElementNode) => boolean): ElementNode | null {
  for (const child of node.children) {
    if (child.kind !== 'element') continue;
    if (test(child)) return child;
    const deeper = find(child, test);
    if (deeper) return deeper;
  }
  return null;
}

/** Picks elements of a tag, whatever the case it is written in. */
export function byTag(tag: string): (element: ElementNode) => boolean {
  return (element) => element.tag.toLowerCase() === tag;
}

/** Names of attributes have no case. Null when it is missing. */
export function attributeOf(element: ElementNode, name: string): Attribute | null {
  return element.attributes.find((attribute) => attribute.name.toLowerCase() === name) ?? null;
}

/** All text below an element, as it was written. */
export function textOf(element: ElementNode): string {
  return element.children.map((child) => (child.kind === 'text' ? child.text : textOf(child))).join('');
}

/** Back to HTML, for what a page keeps as it was. */
export function toHtml(node: Node): string {
  if (node.kind === 'text') return escapeText(node.text);
  const tag = node.tag;
  const lower = tag.toLowerCase();
  const attributes = node.attributes.map(({ name, value }) =>
    value === '' ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`,
  );
  const start = `<${tag}${attributes.join('')}>`;
  if (VOID.has(lower)) return start;
  const raw = lower === 'script' || lower === 'style';
  const inner = raw ? textOf(node) : node.children.map(toHtml).join('');
  return `${start}${inner}</${tag}>`;
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, '&quot;');
}
