import { cutPassages, type Marked, passageName } from '../anchoring/passages';
import type { TextMap, TextSlice } from '../anchoring/text-map';

/**
 * Paints commented passages into the rendered text as `mark` elements. The words themselves never change.
 * The run where a thread begins is its button; a run inside a link gets a small button behind the link,
 * because a link cannot hold one.
 */
export class PassageMarks {
  private signature = '';
  private active: string | null = null;
  private readonly byThread = new Map<string, HTMLElement[]>();
  private added: HTMLElement[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly map: TextMap<Node & ChildNode>,
  ) {}

  /** Paints these threads and no others. Repainting keeps the selection and the focus. */
  paint(threads: readonly Marked[]): void {
    const signature = JSON.stringify(threads);
    if (signature === this.signature) return;
    this.signature = signature;
    const selection = this.rememberSelection();
    const focused = document.activeElement?.closest<HTMLElement>('[data-begins]');
    const focusedThread = focused && this.root.contains(focused) ? focused.dataset.begins : undefined;
    this.clear();
    this.wrapAll(threads);
    this.light(this.active);
    this.restoreSelection(selection);
    if (focusedThread) this.focus(focusedThread.split(' ')[0]!);
  }

  /** Marks the passage of the active thread. */
  light(threadId: string | null): void {
    for (const mark of this.byThread.get(this.active ?? '') ?? []) setActive(mark, false);
    this.active = threadId;
    for (const mark of this.byThread.get(threadId ?? '') ?? []) setActive(mark, true);
  }

  focus(threadId: string): void {
    const runs = this.byThread.get(threadId) ?? [];
    const button = runs.find((run) => run.tabIndex === 0) ?? this.flagOf(threadId);
    button?.focus({ preventScroll: true });
  }

  /** Threads under a place of the page, outermost first. */
  threadsAt(target: Element | null): string[] {
    const mark = target?.closest<HTMLElement>('[data-threads]');
    return mark && this.root.contains(mark) ? mark.dataset.threads!.split(' ') : [];
  }

  private flagOf(threadId: string): HTMLElement | undefined {
    return this.added.find((element) => element.dataset.begins?.split(' ').includes(threadId));
  }

  private wrapAll(threads: readonly Marked[]): void {
    const passages = cutPassages(threads);
    const slices = passages.flatMap((passage) => {
      const found = this.map.slices(passage.start, passage.end).filter(({ node }) => !isLayout(node));
      return found.map((slice, index) => ({ slice, passage, first: index === 0 }));
    });
    // From the end to the start, so that cutting one text node leaves the places before it valid.
    for (const { slice, passage, first } of slices.reverse()) {
      const mark = this.wrap(slice);
      mark.dataset.threads = passage.ids.join(' ');
      if (passage.struck) mark.dataset.struck = '';
      if (first && passage.begins.length > 0) this.makeButton(mark, passage.begins, passage.comments);
      for (const id of passage.ids) this.byThread.set(id, [mark, ...(this.byThread.get(id) ?? [])]);
      const block = this.map.blockOf(mark as Node & ChildNode);
      if (block) this.map.forget(block);
    }
  }

  private wrap({ node, from, to }: TextSlice<Node & ChildNode>): HTMLElement {
    let text = node as unknown as Text;
    if (to < text.length) text.splitText(to);
    if (from > 0) text = text.splitText(from);
    const mark = document.createElement('mark');
    mark.className = 'passage';
    text.before(mark);
    mark.append(text);
    this.added.push(mark);
    return mark;
  }

  private makeButton(mark: HTMLElement, begins: readonly string[], comments: number): void {
    const name = passageName(comments, mark.textContent ?? '');
    const link = mark.closest('a[href]');
    if (!link) {
      mark.tabIndex = 0;
      mark.setAttribute('role', 'button');
      mark.setAttribute('aria-label', name);
      mark.dataset.begins = begins.join(' ');
      return;
    }
    const flag = document.createElement('button');
    flag.type = 'button';
    flag.className = 'passage-flag';
    flag.setAttribute('data-no-anchor', '');
    flag.setAttribute('aria-label', name);
    flag.dataset.threads = begins.join(' ');
    flag.dataset.begins = begins.join(' ');
    flag.textContent = String(comments);
    link.after(flag);
    this.added.push(flag);
  }

  private clear(): void {
    const parents = new Set<Node>();
    for (const element of this.added) {
      if (element.localName === 'mark') {
        if (element.parentNode) parents.add(element.parentNode);
        element.replaceWith(...element.childNodes);
      } else element.remove();
    }
    for (const parent of parents) {
      parent.normalize();
      const block = this.map.blockOf(parent as Node & ChildNode);
      if (block) this.map.forget(block);
    }
    this.added = [];
    this.byThread.clear();
  }

  private rememberSelection(): { anchor: number; focus: number } | null {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || !this.root.contains(selection.anchorNode)) return null;
    const at = (node: Node | null, offset: number) =>
      node && this.root.contains(node) ? this.map.offsetAt(node as Node & ChildNode, offset, 'start') : null;
    const anchor = at(selection.anchorNode, selection.anchorOffset);
    const focus = at(selection.focusNode, selection.focusOffset);
    return anchor === null || focus === null ? null : { anchor, focus };
  }

  private restoreSelection(kept: { anchor: number; focus: number } | null): void {
    if (!kept) return;
    const slices = this.map.slices(Math.min(kept.anchor, kept.focus), Math.max(kept.anchor, kept.focus));
    const first = slices[0];
    const last = slices.at(-1);
    if (!first || !last) return;
    const forward = kept.anchor <= kept.focus;
    const from: [Node, number] = [first.node, first.from];
    const to: [Node, number] = [last.node, last.to];
    const [a, b] = forward ? [from, to] : [to, from];
    document.getSelection()?.setBaseAndExtent(a[0], a[1], b[0], b[1]);
  }
}

/** White space between cells and rows is layout: a mark there would break the table. */
function isLayout(node: Node): boolean {
  const parent = node.parentElement?.localName ?? '';
  return ['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol', 'dl'].includes(parent);
}

function setActive(mark: HTMLElement, active: boolean): void {
  if (active) mark.dataset.active = '';
  else delete mark.dataset.active;
}
