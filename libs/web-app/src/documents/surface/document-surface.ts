import type { Marked } from '../anchoring/passages';
import { anchorFor, type Selected } from '../anchoring/selection';
import { type Block, TextMap } from '../anchoring/text-map';
import type { Section } from '../shapes';
import { BlockFocus } from './block-focus';
import { chunkOf, isLarge } from './chunks';
import { dressCodeBlocks } from './code-blocks';
import { Diagrams } from './diagrams';
import { motion } from './motion';
import { PassageMarks } from './passage-marks';
import { SectionApprovals } from './section-approvals';
import { dressStatic } from './static-dress';

type PageNode = Node & ChildNode;

/** Beyond this distance from the screen, in px, a rough place is enough. */
const FAR = 400;
const DRAFT_HIGHLIGHT = 'loupe-draft';
const TINT_HIGHLIGHT = 'loupe-tint';

/** A stretch of the plain text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SurfaceEvents {
  readonly onSelect: (selected: PageSelection | null) => void;
  /** A marked passage was pressed; null when plain text was. */
  readonly onPassage: (threadIds: readonly string[] | null) => void;
  readonly onCommentBlock: (selected: PageSelection) => void;
  readonly onApprove: (headingId: string, approved: boolean) => void;
}

/** Selected words and where they end on the page, relative to the surface. */
export interface PageSelection {
  readonly selected: Selected;
  readonly box: {
    readonly top: number;
    readonly bottom: number;
    readonly left: number;
    readonly right: number;
  };
}

/** Everything that the app adds to the rendered text of one version, outside React; after `layOutText`. */
export class DocumentSurface {
  readonly map: TextMap<PageNode>;
  readonly isLarge: boolean;
  private readonly marks: PassageMarks;
  private readonly approvals: SectionApprovals;
  private readonly blocks: BlockFocus;
  private readonly undressCode: () => void;
  private diagrams: Diagrams | null = null;
  private threads: readonly Marked[] = [];
  private drafts: readonly Span[] = [];
  private tints: readonly Span[] = [];
  private pointerDown = false;

  constructor(
    readonly root: HTMLElement,
    readonly text: string,
    private readonly events: SurfaceEvents,
  ) {
    this.isLarge = isLarge(text);
    this.map = new TextMap<PageNode>(root, root.querySelectorAll<HTMLElement>('[data-start]'), text);
    this.marks = new PassageMarks(root, this.map);
    this.approvals = new SectionApprovals(root, events.onApprove);
    this.blocks = new BlockFocus(root, this.map, (block) => this.commentOn(block));
    this.undressCode = dressCodeBlocks(root, (pre) => this.codeChanged(pre));
    dressStatic(root);
    root.addEventListener('click', this.onClick);
    root.addEventListener('keydown', this.onKey);
    document.addEventListener('selectionchange', this.onSelectionChange);
    document.addEventListener('pointerdown', this.onPointerDown);
    document.addEventListener('pointerup', this.onPointerUp);
  }

  dispose(): void {
    this.blocks.dispose();
    this.marks.paint([]);
    this.approvals.dispose();
    this.undressCode();
    this.showDiagrams(false);
    this.root.removeEventListener('click', this.onClick);
    this.root.removeEventListener('keydown', this.onKey);
    document.removeEventListener('selectionchange', this.onSelectionChange);
    document.removeEventListener('pointerdown', this.onPointerDown);
    document.removeEventListener('pointerup', this.onPointerUp);
    highlights()?.delete(DRAFT_HIGHLIGHT);
    highlights()?.delete(TINT_HIGHLIGHT);
  }

  showThreads(threads: readonly Marked[]): void {
    this.threads = threads;
    this.marks.paint(threads);
    this.repaint();
  }

  light(threadId: string | null): void {
    this.marks.light(threadId);
  }

  showSections(sections: readonly Section[], may: boolean): void {
    this.approvals.show(sections, may);
  }

  /** Tints the words of unsent comments, without a change of the page. */
  showDrafts(drafts: readonly Span[]): void {
    this.drafts = drafts;
    this.highlight(DRAFT_HIGHLIGHT, drafts);
  }

  /** Tints the passages to which an agent draws the eye. */
  showTints(tints: readonly Span[]): void {
    this.tints = tints;
    this.highlight(TINT_HIGHLIGHT, tints);
  }

  /** Draws the diagrams, or shows their sources alone. */
  showDiagrams(on: boolean): void {
    if (on === (this.diagrams !== null)) return;
    this.diagrams?.dispose();
    this.diagrams = on ? new Diagrams(this.root) : null;
  }

  /** The nodes changed: ranges that were made of the old ones no longer hold. */
  private repaint(): void {
    this.highlight(DRAFT_HIGHLIGHT, this.drafts);
    this.highlight(TINT_HIGHLIGHT, this.tints);
  }

  private highlight(name: string, spans: readonly Span[]): void {
    const registry = highlights();
    if (!registry) return;
    const ranges = spans.flatMap(({ start, end }) => this.rangesOf(start, end));
    if (ranges.length === 0) registry.delete(name);
    else registry.set(name, new Highlight(...ranges));
  }

  /**
   * Top of a stretch of text, from the top of the surface in px; null when it is not on the page. In a long
   * text the place of what is far from the screen is that of its block: to ask for more would lay it out.
   */
  topOf(start: number, end: number): number | null {
    const origin = this.root.getBoundingClientRect().top;
    const rough = this.isLarge ? this.roughTopOf(start) : null;
    if (rough !== null) return rough - origin;
    const slices = this.map.slices(start, end);
    const slice = slices.find(({ node }) => node.parentElement?.getClientRects().length);
    if (!slice) {
      const folded = slices[0]?.node.parentElement;
      const standIn = folded && this.diagrams?.standIn(folded);
      return standIn ? standIn.getBoundingClientRect().top - origin : null;
    }
    const range = document.createRange();
    range.setStart(slice.node, slice.from);
    range.setEnd(slice.node, slice.to);
    const rect = range.getClientRects()[0] ?? range.getBoundingClientRect();
    return rect.top - origin;
  }

  /** By its share of the text of its chunk; null near the screen. */
  private roughTopOf(offset: number): number | null {
    const block = this.map.blockAt(offset);
    const chunk = chunkOf(block?.element as unknown as Element | undefined);
    if (!block || !chunk) return null;
    const { top, bottom, height } = chunk.getBoundingClientRect();
    if (bottom >= -FAR && top <= window.innerHeight + FAR) return null;
    const startOf = (each: Element | null | undefined) =>
      Number(each?.querySelector<HTMLElement>('[data-start]')?.dataset.start ?? this.text.length);
    const from = startOf(chunk);
    const to = startOf(chunk.nextElementSibling);
    return top + (height * (block.start - from)) / Math.max(1, to - from);
  }

  /** Brings a stretch of text into the middle of the screen when it is not in view. */
  reveal(start: number, end: number): void {
    const element = this.map.slices(start, end)[0]?.node.parentElement;
    if (!element) return;
    this.diagrams?.unfold(element);
    const { top, bottom } = element.getBoundingClientRect();
    if (top >= 96 && bottom <= window.innerHeight - 96) return;
    // Gliding over a long way would lay out everything on it.
    const isFar = Math.abs(top) > 3 * window.innerHeight;
    element.scrollIntoView({ block: 'center', behavior: isFar ? 'auto' : motion() });
  }

  focusPassage(threadId: string): void {
    this.marks.focus(threadId);
  }

  focusBlockAt(start: number): void {
    const block = this.map.blocksIn(start, start + 1).at(-1);
    const element = block?.element as unknown as HTMLElement | undefined;
    if (element && !element.hasAttribute('tabindex')) element.tabIndex = -1;
    element?.focus({ preventScroll: true });
  }

  /** What the reader has selected now, or the block with the focus; null when neither. */
  target(): PageSelection | null {
    return this.selection() ?? (this.blocks.focused ? this.blockSelection(this.blocks.focused) : null);
  }

  private commentOn(block: Block<PageNode>): void {
    const selection = this.blockSelection(block);
    if (selection) this.events.onCommentBlock(selection);
  }

  private blockSelection(block: Block<PageNode>): PageSelection | null {
    const range = this.map.rangeOf(block);
    if (!range) return null;
    const rect = (block.element as unknown as HTMLElement).getBoundingClientRect();
    return { selected: anchorFor(this.text, range.start, range.end), box: this.relative(rect) };
  }

  private selection(): PageSelection | null {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.root)) return null;
    const inside = (node: Node) => this.root.contains(node);
    const from = inside(range.startContainer)
      ? this.map.offsetAt(range.startContainer as PageNode, range.startOffset, 'start')
      : (this.map.all[0]?.start ?? null);
    const to = inside(range.endContainer)
      ? this.map.offsetAt(range.endContainer as PageNode, range.endOffset, 'end')
      : this.text.length;
    // A selection that only touches the text from outside is none of ours.
    if (!inside(range.startContainer) && !inside(range.endContainer)) return null;
    const rect = this.lastLineOf(range, from, to);
    const selected: Selected =
      from === null || to === null || to <= from
        ? { ok: false, reason: this.whyNot(range) }
        : anchorFor(this.text, from, to);
    return { selected, box: this.relative(rect) };
  }

  /** Where a selection ends. Its last words tell it: to ask for all of a long one would lay out everything in it. */
  private lastLineOf(range: Range, from: number | null, to: number | null): DOMRect {
    const last =
      from === null || to === null ? undefined : this.map.slices(Math.max(from, to - 1), to).at(-1);
    const words = range.cloneRange();
    if (last) {
      words.setEnd(last.node, last.to);
      if (range.startContainer !== last.node) words.setStart(last.node, 0);
    }
    const rects = [...words.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    return rects.at(-1) ?? words.getBoundingClientRect();
  }

  /** A selection of nothing but text without an anchor. */
  private whyNot(range: Range): string {
    const node = range.commonAncestorContainer;
    const element = node instanceof Element ? node : node.parentElement;
    return element?.closest('del, [data-change="removed"]')
      ? 'This text was removed. The current version does not hold it, so it takes no comment.'
      : 'These words carry no comment. Select words of the text itself.';
  }

  private relative(rect: DOMRect): PageSelection['box'] {
    const origin = this.root.getBoundingClientRect();
    return {
      top: rect.top - origin.top,
      bottom: rect.bottom - origin.top,
      left: rect.left - origin.left,
      right: rect.right - origin.left,
    };
  }

  private rangesOf(start: number, end: number): Range[] {
    return this.map.slices(start, end).map(({ node, from, to }) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range;
    });
  }

  private codeChanged(pre: HTMLElement): void {
    const block = this.map.blockOf(pre as unknown as PageNode);
    if (block) this.map.forget(block);
    // The marks inside went with the old nodes: paint all anew.
    this.marks.paint([]);
    this.marks.paint(this.threads);
    this.repaint();
  }

  private readonly onClick = (event: MouseEvent): void => {
    const target = event.target as Element;
    if (
      target.closest('input, label, textarea, fieldset button, .approve, .codeblock > .btn, .block-comment')
    )
      return;
    const ids = this.marks.threadsAt(target);
    if (ids.length > 0) this.events.onPassage(ids);
    else if (!target.closest('a') && document.getSelection()?.isCollapsed !== false)
      this.events.onPassage(null);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const mark = event.target as HTMLElement;
    if (mark.localName !== 'mark') return;
    event.preventDefault();
    this.events.onPassage(this.marks.threadsAt(mark));
  };

  private readonly onPointerDown = (): void => {
    this.pointerDown = true;
  };

  private readonly onPointerUp = (): void => {
    this.pointerDown = false;
    // The browser settles the selection after the event.
    setTimeout(() => this.tellSelection());
  };

  private readonly onSelectionChange = (): void => {
    if (!this.pointerDown) this.tellSelection();
  };

  private tellSelection(): void {
    this.events.onSelect(this.selection());
  }
}

/** The registry of highlights; undefined in browsers that have none yet. */
function highlights(): HighlightRegistry | undefined {
  return typeof CSS !== 'undefined' && 'highlights' in CSS ? CSS.highlights : undefined;
}
