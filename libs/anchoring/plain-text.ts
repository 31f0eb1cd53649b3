/** What the reader of plain text needs to know of a tree; served by hast on the server and by the DOM in the browser. */
export interface TextTree<N> {
  /** Lower case tag name of an element, null for anything else. */
  tag(node: N): string | null;
  /** Value of a text node, null for anything else. */
  text(node: N): string | null;
  children(node: N): ArrayLike<N>;
  /** True when the element carries `data-no-anchor`. */
  skipped(node: N): boolean;
  /** Alternative text of an image. */
  alt(node: N): string;
}

/** A stretch of plain text that stands in one node without a gap. */
export interface TextRun<N> {
  /** The text node, or the image whose alternative text this is. */
  readonly node: N;
  /** Offset inside the value of the node. */
  readonly from: number;
  /** Offset in the plain text that was read. */
  readonly start: number;
  readonly length: number;
}

/** Text of a tree by the rules of `documents.md` 5.1, with the way back to its nodes. */
export interface PlainText<N> {
  readonly text: string;
  /** In text order, never empty stretches. */
  readonly runs: readonly TextRun<N>[];
  /** Offset of the first character of every block element that holds text of its own, in tree order. */
  readonly blocks: readonly { readonly node: N; readonly start: number }[];
}

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol p pre section summary table tbody ' +
    'td tfoot th thead tr ul'
  ).split(' '),
);

/**
 * Reads the plain text of `root`: a block ends with a line feed, cells are parted by a tab, white
 * space outside `pre` collapses and is trimmed at block edges, `pre` is verbatim, what carries
 * `data-no-anchor` is passed over. Reading one block alone gives the same characters as reading
 * the whole, so a browser may read only the block of a selection. Linear in the size of the tree.
 */
export function readPlainText<N>(root: N, tree: TextTree<N>): PlainText<N> {
  const reader = new Reader(tree);
  reader.read(root);
  return reader.result();
}

interface OpenBlock<N> {
  readonly node: N;
  readonly order: number;
  start: number;
  ownsText: boolean;
}

class Reader<N> {
  private readonly parts: string[] = [];
  private readonly runs: TextRun<N>[] = [];
  private readonly found: OpenBlock<N>[] = [];
  private readonly open: OpenBlock<N>[] = [];
  private length = 0;
  private order = 0;
  /** A block has ended after text; its line feed is written when more text or the end comes. */
  private blockEnded = false;
  private runStarted = false;
  private pendingSpace = false;
  private pendingBreaks = 0;
  private verbatim = 0;

  constructor(private readonly tree: TextTree<N>) {}

  read(root: N): void {
    this.visit(root);
    this.endBlock();
    if (this.blockEnded) this.write('\n');
  }

  result(): PlainText<N> {
    return {
      text: this.parts.join(''),
      runs: this.runs,
      blocks: this.found
        .filter((block) => block.ownsText)
        .sort((a, b) => a.order - b.order)
        .map(({ node, start }) => ({ node, start })),
    };
  }

  private visit(node: N): void {
    const text = this.tree.text(node);
    if (text !== null) {
      this.addText(node, text);
      return;
    }
    const tag = this.tree.tag(node);
    if (tag !== null && this.tree.skipped(node)) return;
    if (tag === 'br') {
      if (this.verbatim > 0) this.emit(null, 0, '\n');
      else {
        this.pendingBreaks += 1;
        this.pendingSpace = false;
      }
      return;
    }
    if (tag === 'img') {
      this.addText(node, this.tree.alt(node));
      return;
    }
    if (tag === null || !BLOCKS.has(tag)) {
      this.visitChildren(node);
      return;
    }
    this.endBlock();
    const block: OpenBlock<N> = { node, order: this.order++, start: -1, ownsText: false };
    this.open.push(block);
    if (tag === 'pre') this.verbatim += 1;
    if (tag === 'tr') this.visitRow(node);
    else this.visitChildren(node);
    this.endBlock();
    if (tag === 'pre') this.verbatim -= 1;
    this.open.pop();
    if (block.start >= 0) this.found.push(block);
  }

  private visitChildren(node: N): void {
    const children = this.tree.children(node);
    for (let i = 0; i < children.length; i++) this.visit(children[i]!);
  }

  private visitRow(row: N): void {
    const children = this.tree.children(row);
    let cells = 0;
    for (let i = 0; i < children.length; i++) {
      const child = children[i]!;
      const tag = this.tree.tag(child);
      if ((tag !== 'td' && tag !== 'th') || this.tree.skipped(child)) {
        this.visit(child);
        continue;
      }
      if (cells > 0) {
        this.endBlock();
        this.blockEnded = false;
        this.write('\t');
      } else if (this.blockEnded) {
        this.blockEnded = false;
        this.write('\n');
      }
      cells += 1;
      this.visit(child);
    }
    this.endBlock();
    if (cells > 0) this.blockEnded = true;
  }

  private addText(node: N, value: string): void {
    if (value === '') return;
    if (this.verbatim > 0) {
      this.emit(node, 0, value);
      return;
    }
    let at = 0;
    while (at < value.length) {
      if (isSpace(value.charCodeAt(at))) {
        at += 1;
        if (this.pendingBreaks === 0) this.pendingSpace = true;
        continue;
      }
      const from = at;
      while (at < value.length && !isSpace(value.charCodeAt(at))) at += 1;
      // One ordinary space between words of the same node keeps the stretch whole.
      while (at + 1 < value.length && value.charCodeAt(at) === 32 && !isSpace(value.charCodeAt(at + 1))) {
        at += 1;
        while (at < value.length && !isSpace(value.charCodeAt(at))) at += 1;
      }
      this.emit(node, from, value.slice(from, at));
    }
  }

  private emit(node: N | null, from: number, value: string): void {
    if (this.blockEnded) {
      this.blockEnded = false;
      this.write('\n');
    }
    if (this.runStarted) {
      if (this.pendingBreaks > 0) this.write('\n'.repeat(this.pendingBreaks));
      else if (this.pendingSpace) this.write(' ');
    }
    this.pendingBreaks = 0;
    this.pendingSpace = false;
    this.runStarted = true;
    const owner = this.open.at(-1);
    if (owner !== undefined) owner.ownsText = true;
    for (let i = this.open.length - 1; i >= 0; i--) {
      const block = this.open[i]!;
      if (block.start >= 0) break;
      block.start = this.length;
    }
    if (node !== null) this.runs.push({ node, from, start: this.length, length: value.length });
    this.write(value);
  }

  private endBlock(): void {
    this.pendingBreaks = 0;
    this.pendingSpace = false;
    if (!this.runStarted) return;
    this.runStarted = false;
    // The last line feed of a code block is its end already.
    const last = this.parts.at(-1)!;
    this.blockEnded = !(this.verbatim > 0 && last.endsWith('\n'));
  }

  private write(value: string): void {
    this.parts.push(value);
    this.length += value.length;
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12;
}

/** The nodes under a span of the plain text, for painting a passage. Offsets are inside each node's value. */
export function nodesOfSpan<N>(
  plain: PlainText<N>,
  start: number,
  end: number,
): { node: N; from: number; to: number }[] {
  const spans: { node: N; from: number; to: number }[] = [];
  const { runs } = plain;
  for (let i = firstRunAfter(runs, start); i < runs.length; i++) {
    const run = runs[i]!;
    if (run.start >= end) break;
    const from = run.from + Math.max(0, start - run.start);
    const to = run.from + Math.min(run.length, end - run.start);
    const last = spans.at(-1);
    if (last !== undefined && last.node === run.node) last.to = to;
    else spans.push({ node: run.node, from, to });
  }
  return spans;
}

/**
 * Offset in the plain text of a point in a node, or of the next character after it when the point
 * lies in collapsed white space. Null when the node holds nothing that counts.
 */
export function offsetOfPoint<N>(plain: PlainText<N>, node: N, at: number): number | null {
  let before: number | null = null;
  for (const run of plain.runs) {
    if (run.node !== node) continue;
    if (at < run.from) return run.start;
    if (at <= run.from + run.length) return run.start + (at - run.from);
    before = run.start + run.length;
  }
  return before;
}

function firstRunAfter<N>(runs: readonly TextRun<N>[], offset: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle]!;
    if (run.start + run.length <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
