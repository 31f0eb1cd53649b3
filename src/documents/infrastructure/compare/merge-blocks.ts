import type { Element, ElementContent } from 'hast';
import { type BlockPair, pairBlocks } from './block-pairs.js';
import { type Block, Signatures } from './block-tree.js';
import type { Deadline } from './deadline.js';
import { marked, mergeWords } from './word-merge.js';

/** Builds the rendered view: the newer text with removed and added parts marked in their places. */
export class BlockMerge {
  /** Changes numbered so far; the first element of each carries `id="change-N"`. */
  changes = 0;

  constructor(
    private readonly signatures: Signatures,
    private readonly deadline: Deadline,
    /** False for large texts: then an edited block shows as removed and added. */
    private readonly comparesWords: boolean,
  ) {}

  merge(before: readonly Block[], after: readonly Block[]): ElementContent[] {
    return pairBlocks(before, after, this.deadline).flatMap((pair) => this.pair(pair));
  }

  /** One pair as it stands in the merged text. */
  pair({ before, after }: BlockPair): ElementContent[] {
    if (before === null) return after === null ? [] : this.alone(after, 'added');
    if (after === null) return this.alone(before, 'removed');
    if (before.signature === after.signature) return inert(nodesOf(after));
    if (!this.comparesWords) return [...this.alone(before, 'removed'), ...this.alone(after, 'added')];
    const isLeafPair = before.blocks.length === 0 && after.blocks.length === 0;
    if (!isLeafPair && after.element !== null) {
      return inert([shallow(after.element, this.merge(asBlocks(before), asBlocks(after)))]);
    }
    const content = mergeWords(before.inline, after.inline, this.signatures, this.deadline);
    if (after.element === null) return inert([this.numbered('span', content)]);
    const element = shallow(after.element, content);
    element.properties.dataChange = 'changed';
    this.number(element);
    return inert([element]);
  }

  private alone(block: Block, change: 'added' | 'removed'): ElementContent[] {
    const nodes = inert(wholly(block, change));
    if (change === 'removed') forget(nodes);
    const [first] = nodes;
    if (first?.type === 'element') {
      first.properties.dataChange = change;
      if (change === 'removed') first.properties.dataNoAnchor = '';
      this.number(first);
    }
    return nodes;
  }

  private numbered(tagName: string, children: ElementContent[]): Element {
    const element: Element = { type: 'element', tagName, properties: { dataChange: 'changed' }, children };
    this.number(element);
    return element;
  }

  /** A heading keeps its id, links lead there; then the mark goes into a place of its own. */
  private number(element: Element): void {
    this.changes += 1;
    const id = `change-${this.changes}`;
    if (element.properties.id === undefined) element.properties.id = id;
    else {
      element.children.unshift({
        type: 'element',
        tagName: 'span',
        properties: { id, dataNoAnchor: '' },
        children: [],
      });
    }
  }
}

/** A copy of the nodes in which every control is switched off. */
export function inert(nodes: readonly ElementContent[]): ElementContent[] {
  const copies = structuredClone(nodes) as ElementContent[];
  eachElement(copies, (element) => {
    if (element.tagName === 'input') element.properties.disabled = true;
  });
  return copies;
}

/** Takes ids and offsets off: they belong to the newer text. */
export function forget(nodes: readonly ElementContent[]): void {
  eachElement(nodes, (element) => {
    delete element.properties.id;
    delete element.properties.dataStart;
    delete element.properties.name;
  });
}

/** The nodes of a block as they were. */
export function nodesOf(block: Block): ElementContent[] {
  return block.element === null ? [...block.inline] : [block.element];
}

/** A block with all of its words marked. */
export function wholly(block: Block, change: 'added' | 'removed'): ElementContent[] {
  if (block.blocks.length > 0 && block.element !== null) {
    return [
      shallow(
        block.element,
        block.blocks.flatMap((child) => wholly(child, change)),
      ),
    ];
  }
  const content = [marked(change, [...block.inline])];
  if (block.element === null) return content;
  // A break or an empty cell holds no words to wrap.
  return [block.inline.length === 0 ? shallow(block.element, []) : shallow(block.element, content)];
}

function asBlocks(block: Block): readonly Block[] {
  if (block.blocks.length > 0) return block.blocks;
  return block.inline.length === 0 ? [] : [{ ...block, element: null, signature: -1 }];
}

function shallow(element: Element, children: ElementContent[]): Element {
  return { ...element, properties: { ...element.properties }, children };
}

function eachElement(nodes: readonly ElementContent[], visit: (element: Element) => void): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    visit(node);
    eachElement(node.children, visit);
  }
}
