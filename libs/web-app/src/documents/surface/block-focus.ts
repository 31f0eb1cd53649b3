import type { Block, TextMap } from '../anchoring/text-map';

type PageNode = Node & ChildNode;

/**
 * Makes the text reachable without a mouse. One block at a time is a tab stop; up and down arrows, Home and
 * End go through the blocks. The block that holds the focus offers the button "Comment on this block".
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

  /** The block with the focus, also while a link, a passage or the button inside of it has it. */
  get focused(): Block<PageNode> | null {
    return this.root.contains(document.activeElement) ? this.current : null;
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
    this.moveTo(block);
  };

  private readonly onBlur = (event: FocusEvent): void => {
    if (this.root.contains(event.relatedTarget as Node | null)) return;
    this.hide();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!this.current || event.target !== this.current.element) return;
    const stops = this.stops();
    const at = stops.indexOf(this.current);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    const block = next === undefined ? undefined : stops[next];
    if (!block) return;
    event.preventDefault();
    this.moveTo(block);
    element(block).focus();
  };

  private moveTo(block: Block<PageNode>): void {
    if (this.current !== block) {
      for (const stop of this.root.querySelectorAll<HTMLElement>('[data-start][tabindex="0"]'))
        stop.tabIndex = -1;
      this.hide();
      this.current = block;
      element(block).tabIndex = 0;
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
