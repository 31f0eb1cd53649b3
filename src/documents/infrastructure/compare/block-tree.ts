import type { Element, ElementContent, Root, RootContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';

/**
 * A block of a compared text: an element that holds other blocks, or one whose content is words.
 * Words that stand beside blocks inside one element form a block without an element of its own.
 */
export interface Block {
  readonly element: Element | null;
  /** Blocks inside; empty for a leaf. */
  readonly blocks: readonly Block[];
  /** Inline content of a leaf. */
  readonly inline: readonly ElementContent[];
  /** Equal blocks have equal numbers, whatever their ids and offsets. */
  readonly signature: number;
  readonly leafCount: number;
}

const BLOCK_TAGS: ReadonlySet<string> = new Set(
  (
    'blockquote caption dd div dl dt fieldset h1 h2 h3 h4 h5 h6 hr label legend li ol p pre section table tbody td ' +
    'tfoot th thead tr ul'
  ).split(' '),
);

/** What differs between two renderings of the same words. */
const UNSTABLE: ReadonlySet<string> = new Set(['id', 'dataStart', 'dir']);

/** Reads stored HTML into blocks; two texts that are compared share one `Signatures`. */
export function readBlocks(html: string, signatures: Signatures): Block[] {
  return blocksIn((fromHtml(html, { fragment: true }) as Root).children, signatures);
}

/** Numbers for structures, equal for equal ones. */
export class Signatures {
  private readonly known = new Map<string, number>();

  of(node: ElementContent | RootContent): number {
    if (node.type === 'text') return this.number(`t${node.value}`);
    if (node.type !== 'element') return this.number('other');
    return this.number(`${this.head(node)}(${node.children.map((child) => this.of(child)).join(',')})`);
  }

  /** Of an element without its content. */
  head(element: Element): string {
    const properties = Object.entries(element.properties)
      .filter(([name]) => !UNSTABLE.has(name))
      .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      .sort();
    return `<${element.tagName} ${properties.join(' ')}>`;
  }

  number(key: string): number {
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.known.size;
      this.known.set(key, number);
    }
    return number;
  }
}

export function leafCountOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.leafCount, 0);
}

/** The visible text of a block, for judging how alike two are. */
export function textOfBlock(block: Block): string {
  return block.blocks.length > 0
    ? block.blocks.map(textOfBlock).join('\n')
    : block.inline.map(textOfNode).join('');
}

function textOfNode(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element' || node.properties.dataNoAnchor !== undefined) return '';
  return node.tagName === 'img' ? String(node.properties.alt ?? '') : node.children.map(textOfNode).join('');
}

function blocksIn(nodes: readonly (ElementContent | RootContent)[], signatures: Signatures): Block[] {
  const blocks: Block[] = [];
  let inline: ElementContent[] = [];
  const endInline = (): void => {
    if (inline.some((node) => node.type !== 'text' || node.value.trim() !== '')) {
      blocks.push(leaf(null, inline, signatures));
    }
    inline = [];
  };
  for (const node of nodes) {
    if (node.type === 'element' && BLOCK_TAGS.has(node.tagName)) {
      endInline();
      blocks.push(blockOf(node, signatures));
    } else if (node.type === 'element' || node.type === 'text') {
      inline.push(node);
    }
  }
  endInline();
  return blocks;
}

function blockOf(element: Element, signatures: Signatures): Block {
  const holdsBlocks = element.children.some(
    (child) => child.type === 'element' && BLOCK_TAGS.has(child.tagName),
  );
  if (!holdsBlocks) return leaf(element, element.children, signatures);
  const blocks = blocksIn(element.children, signatures);
  return {
    element,
    blocks,
    inline: [],
    signature: signatures.number(
      `${signatures.head(element)}[${blocks.map((block) => block.signature).join(',')}]`,
    ),
    leafCount: leafCountOf(blocks),
  };
}

function leaf(element: Element | null, inline: readonly ElementContent[], signatures: Signatures): Block {
  const head = element === null ? '' : signatures.head(element);
  const content = inline.map((node) => signatures.of(node)).join(',');
  return { element, blocks: [], inline, signature: signatures.number(`${head}{${content}}`), leafCount: 1 };
}
