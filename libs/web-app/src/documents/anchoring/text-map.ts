/*
 * Maps between places in the rendered page and offsets in the plain text of a version.
 *
 * The server says where each leaf block begins (`data-start`, UTF-16 code units); inside a block the
 * characters of the page are walked along the plain text. Following the text, instead of computing it a
 * second time, keeps a selection on exactly what the server will compare it with.
 */

/** The little of a DOM node that mapping needs, so that it can be tested without a browser. */
export interface TreeNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly childNodes: ArrayLike<TreeNode>;
  readonly parentNode: TreeNode | null;
  readonly data?: string;
  getAttribute?(name: string): string | null;
}

/** A leaf block of the page and where its text begins in the plain text. */
export interface Block<N extends TreeNode = TreeNode> {
  readonly element: N;
  readonly start: number;
}

/** A run of one text node that stands for `start`–`end` of the plain text. */
export interface TextSlice<N extends TreeNode = TreeNode> {
  readonly node: N;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

interface MappedNode<N extends TreeNode> {
  readonly node: N;
  /** For each place in the node (0 … length) the offset in the plain text. */
  readonly offsets: Int32Array;
}

interface MappedBlock<N extends TreeNode> {
  /** Text nodes of the block itself; those of blocks inside of it are theirs. */
  readonly nodes: readonly MappedNode<N>[];
  /** Where its text ends, that of the blocks inside of it included. */
  readonly end: number;
}

const ELEMENT = 1;
const TEXT = 3;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;

/** Two-way map of one rendered version. Blocks are mapped when they are first needed. */
export class TextMap<N extends TreeNode = TreeNode> {
  private readonly blocks: Block<N>[];
  private readonly byElement: Map<TreeNode, Block<N>>;
  private mapped = new WeakMap<TreeNode, MappedBlock<N>>();

  /** @param elements every element with `data-start`, in document order. */
  constructor(
    private readonly root: N,
    elements: Iterable<N>,
    private readonly text: string,
  ) {
    const found: { element: N; start: number }[] = [];
    for (const element of elements) {
      const start = Number(element.getAttribute?.('data-start'));
      if (Number.isInteger(start) && start >= 0 && start <= text.length) found.push({ element, start });
    }
    this.blocks = found.sort((a, b) => a.start - b.start);
    this.byElement = new Map(this.blocks.map((block) => [block.element, block]));
  }

  /** All blocks in text order. */
  get all(): readonly Block<N>[] {
    return this.blocks;
  }

  /** The block that a node belongs to; undefined outside of blocks and in parts without anchor. */
  blockOf(node: TreeNode): Block<N> | undefined {
    for (let at: TreeNode | null = node; at && at !== this.root; at = at.parentNode) {
      if (at.nodeType !== ELEMENT) continue;
      if (isUnanchored(at)) return undefined;
      const block = this.byElement.get(at);
      if (block) return block;
    }
    return undefined;
  }

  /** Text nodes inside a block were split or joined: map it anew when it is asked for next. */
  forget(block: Block<N>): void {
    this.mapped.delete(block.element);
  }

  /** Own text of a block as it stands in the plain text. */
  rangeOf(block: Block<N>): { start: number; end: number } | null {
    let start = Number.POSITIVE_INFINITY;
    let end = -1;
    for (const { offsets } of this.nodesOf(block)) {
      const first = offsets[0]!;
      const last = offsets[offsets.length - 1]!;
      if (last <= first) continue;
      start = Math.min(start, first);
      end = Math.max(end, last);
    }
    return end > start ? { start, end } : null;
  }

  /**
   * Offset of a place in the page. A place in a part without anchor moves forward for `start` and back
   * for `end`. Null when no text with an anchor lies in that direction.
   */
  offsetAt(container: N, offset: number, edge: 'start' | 'end'): number | null {
    if (container.nodeType === TEXT) {
      const direct = this.offsetIn(container, offset);
      if (direct !== null) return direct;
    }
    const next = edge === 'start' ? this.textAfter(container, offset) : this.textBefore(container, offset);
    for (const node of next) {
      const length = node.data?.length ?? 0;
      const found = this.offsetIn(node, edge === 'start' ? 0 : length);
      if (found !== null) return found;
    }
    return null;
  }

  /** The runs of text nodes that show `start`–`end`, in document order. */
  slices(start: number, end: number): TextSlice<N>[] {
    const result: TextSlice<N>[] = [];
    for (let index = this.blockIndexAt(start); index < this.blocks.length; index++) {
      const block = this.blocks[index]!;
      if (block.start >= end) break;
      for (const { node, offsets } of this.nodesOf(block)) {
        const slice = sliceOf(node, offsets, start, end);
        if (slice) result.push(slice);
      }
    }
    // Text behind a nested block belongs to the block around it: back into document order.
    return result.sort((one, other) => one.start - other.start || one.end - other.end);
  }

  /** Blocks whose text meets `start`–`end`. */
  blocksIn(start: number, end: number): Block<N>[] {
    const result: Block<N>[] = [];
    for (let index = this.blockIndexAt(start); index < this.blocks.length; index++) {
      const block = this.blocks[index]!;
      if (block.start >= end) break;
      result.push(block);
    }
    return result;
  }

  /** The innermost block that an offset lies in. */
  blockAt(offset: number): Block<N> | undefined {
    return this.blocks[this.lastBefore(offset)];
  }

  private lastBefore(offset: number): number {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Index of the last block that begins at or before an offset. A nested block hides none of its parents. */
  private blockIndexAt(offset: number): number {
    let index = this.lastBefore(offset);
    // Text of a parent may go on after a nested block: step back to the outermost block around.
    let around = this.blocks[index]?.element.parentNode ?? null;
    for (; around && around !== this.root; around = around.parentNode) {
      const outer = this.byElement.get(around);
      if (outer) index = Math.min(index, this.blocks.indexOf(outer));
    }
    return index;
  }

  private offsetIn(node: TreeNode, offset: number): number | null {
    const block = this.blockOf(node);
    if (!block) return null;
    const found = this.nodesOf(block).find((entry) => entry.node === node);
    return found ? found.offsets[Math.min(offset, found.offsets.length - 1)]! : null;
  }

  private nodesOf(block: Block<N>): readonly MappedNode<N>[] {
    return this.mappedOf(block).nodes;
  }

  private mappedOf(block: Block<N>): MappedBlock<N> {
    const known = this.mapped.get(block.element);
    if (known) return known;
    const nodes: MappedNode<N>[] = [];
    const end = this.walk(block.element, block.start, block.element.nodeName === 'PRE', nodes);
    const mapped = { nodes, end };
    this.mapped.set(block.element, mapped);
    return mapped;
  }

  /** Follows the plain text through the nodes of one block; returns the offset behind it. */
  private walk(parent: N, from: number, verbatim: boolean, out: MappedNode<N>[]): number {
    let at = from;
    for (const child of Array.from(parent.childNodes) as N[]) {
      if (child.nodeType === TEXT) {
        const followed = follow(child.data ?? '', this.text, at, verbatim);
        out.push({ node: child, offsets: followed.offsets });
        at = followed.end;
        continue;
      }
      if (child.nodeType !== ELEMENT || isUnanchored(child)) continue;
      if (child.nodeName === 'BR') {
        if (this.text[at] === '\n') at++;
        continue;
      }
      if (child.nodeName === 'IMG') {
        const alt = (child.getAttribute?.('alt') ?? '').replace(/\s+/gu, ' ').trim();
        const from = afterSeparators(this.text, at);
        if (alt && this.text.startsWith(alt, from)) at = from + alt.length;
        continue;
      }
      const nested = this.byElement.get(child);
      if (nested) {
        at = Math.max(at, this.mappedOf(nested).end);
        continue;
      }
      at = this.walk(child, at, verbatim || child.nodeName === 'PRE', out);
    }
    return at;
  }

  private *textAfter(container: N, offset: number): Generator<N> {
    let node: N | null = (container.nodeType === ELEMENT ? container.childNodes[offset] : null) as N | null;
    if (!node) node = this.following(container);
    while (node) {
      if (node.nodeType === TEXT) yield node;
      node = (node.childNodes[0] as N | undefined) ?? this.following(node);
    }
  }

  private *textBefore(container: N, offset: number): Generator<N> {
    let node: N | null =
      container.nodeType === ELEMENT && offset > 0
        ? lastInside(container.childNodes[offset - 1] as N)
        : this.preceding(container);
    while (node) {
      if (node.nodeType === TEXT) yield node;
      node = this.preceding(node);
    }
  }

  private following(node: N): N | null {
    for (let at: TreeNode | null = node; at && at !== this.root; at = at.parentNode) {
      const siblings = at.parentNode ? (Array.from(at.parentNode.childNodes) as TreeNode[]) : [];
      const next = siblings[siblings.indexOf(at) + 1];
      if (next) return next as N;
    }
    return null;
  }

  private preceding(node: N): N | null {
    if (node === this.root || !node.parentNode) return null;
    const siblings = Array.from(node.parentNode.childNodes) as TreeNode[];
    const index = siblings.indexOf(node);
    if (index > 0) return lastInside(siblings[index - 1] as N);
    return node.parentNode === this.root ? null : (node.parentNode as N);
  }
}

function lastInside<N extends TreeNode>(node: N): N {
  let at: N = node;
  while (at.childNodes.length > 0) at = at.childNodes[at.childNodes.length - 1] as N;
  return at;
}

function isUnanchored(node: TreeNode): boolean {
  return node.getAttribute?.('data-no-anchor') != null;
}

/**
 * Follows the characters of a text node along the plain text. White space outside of `pre` is one
 * space there, or nothing at the edges of a block; a character that the plain text lacks takes no room.
 */
function follow(data: string, text: string, from: number, verbatim: boolean) {
  const offsets = new Int32Array(data.length + 1);
  let at = from;
  for (let index = 0; index < data.length; index++) {
    const code = data.charCodeAt(index);
    if (!verbatim && isSpace(code)) {
      const wanted = text.charCodeAt(at);
      offsets[index] = at;
      if (wanted === 32 || wanted === 0xa0) at++;
      continue;
    }
    // Separators that the page shows by layout alone: step over them.
    if (code !== text.charCodeAt(at)) {
      const next = afterSeparators(text, at);
      if (code === text.charCodeAt(next)) at = next;
    }
    offsets[index] = at;
    if (code === text.charCodeAt(at)) at++;
  }
  offsets[data.length] = at;
  return { offsets, end: at };
}

function afterSeparators(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function sliceOf<N extends TreeNode>(
  node: N,
  offsets: Int32Array,
  start: number,
  end: number,
): TextSlice<N> | null {
  const last = offsets.length - 1;
  if (offsets[last]! <= start || offsets[0]! >= end) return null;
  let from = 0;
  while (from < last && offsets[from + 1]! <= start) from++;
  let to = last;
  while (to > from && offsets[to - 1]! >= end) to--;
  if (to <= from) return null;
  return { node, from, to, start: Math.max(start, offsets[from]!), end: Math.min(end, offsets[to]!) };
}
