import type { Block, TextMap } from '../anchoring/text-map';

type PageNode = Node & ChildNode;

/**
 * Makes the text reachable without a mouse. One block at a time is a tab stop; up and down arrows, Home and
 * End go through the blocks. The block that holds the focus offers the button "Comment on this block". A passage
 * inside a block is a stop of its own: passing it does not take the stop away from the block where the reader was.
 */
export class BlockFocus {
  private current: Block<PageNode> | null = null;
  private readonly button: HTMLButtonElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly map: TextMap<PageNode>,
    private readonly onComment: (block: Block<PageNode>) => void,
  ) {
    this.button = document.createElement('button');
    this.button.type = 'button';
    this.button.className = 'block-comment btn';
    this.button.dataset.size = 'sm';
    this.button.setAttribute('data-no-anchor', '');
    this.button.textContent = 'Comment on this block';
    this.button.addEventListener('click', (event) => {
      event.stopPropagation();
      if (this.current) this.onComment(this.current);
    });
    root.addEventListener('focusin', this.onFocus);
    root.addEventListener('focusout', this.onBlur);
    root.addEventListener('keydown', this.onKey);
    const first = this.stops()[0];
    if (first) element(first).tabIndex = 0;
  }

  /** The block with the focus, also while a link, a passage or a button inside of it has it. */
  get focused(): Block<PageNode> | null {
    const at = document.activeElement;
    if (!at || !this.root.contains(at)) return null;
    if (at === this.button) return this.current;
    return this.map.blockOf((at.closest('[data-start]') ?? at) as unknown as PageNode) ?? null;
  }

  dispose(): void {
    this.root.removeEventListener('focusin', this.onFocus);
    this.root.removeEventListener('focusout', this.onBlur);
    this.root.removeEventListener('keydown', this.onKey);
    this.button.remove();
  }

  private stops(): Block<PageNode>[] {
    return this.map.all.filter((block) => !element(block).closest('[hidden], [data-repeated]'));
  }

  private readonly onFocus = (event: FocusEvent): void => {
    const target = event.target as Element;
    if (target === this.button || target.matches('input, textarea, .approve')) return;
    const block = this.map.blockOf(target as unknown as PageNode);
    if (!block) return;
    if (target === element(block)) this.stopAt(block);
    this.offer(block);
  };

  private readonly onBlur = (event: FocusEvent): void => {
    if (this.root.contains(event.relatedTarget as Node | null)) return;
    this.hide();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = event.target as Element;
    if (!this.current || (target !== element(this.current) && target.localName !== 'mark')) return;
    const stops = this.stops();
    const at = stops.indexOf(this.current);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    const block = next === undefined ? undefined : stops[next];
    if (!block) return;
    event.preventDefault();
    this.stopAt(block);
    element(block).focus();
  };

  private stopAt(block: Block<PageNode>): void {
    for (const stop of this.root.querySelectorAll<HTMLElement>('[data-start][tabindex="0"]'))
      stop.tabIndex = -1;
    element(block).tabIndex = 0;
  }

  private offer(block: Block<PageNode>): void {
    if (this.current !== block) {
      this.hide();
      this.current = block;
    }
    const host = element(block);
    host.dataset.focusBlock = '';
    this.button.toggleAttribute('data-quiet', !document.activeElement?.matches(':focus-visible'));
    if (host.localName === 'pre') host.after(this.button);
    else host.append(this.button);
  }

  private hide(): void {
    if (this.current) delete element(this.current).dataset.focusBlock;
    this.button.remove();
  }
}

function element(block: Block<PageNode>): HTMLElement {
  return block.element as unknown as HTMLElement;
}
