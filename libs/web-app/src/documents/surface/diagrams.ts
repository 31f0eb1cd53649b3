import type { DrawRequest, FrameMessage } from '../../diagram-frame/messages';
import { SOURCE_CHARACTERS } from '../../diagram-frame/messages';
import { lineIcon } from './glyph';

const FRAME = '/diagram-frame';
/** A drawing that takes longer is given up, and its frame goes. */
const DRAWING_MS = 5_000;
/** How long the frame may take to come up at all. */
const LOADING_MS = 20_000;

/**
 * Draws the diagrams of a text, each in a frame without any rights. The source stays in the page, folded, because
 * comments hang on it; one button shows it. A diagram that cannot be drawn is its source and a line that says why.
 */
export class Diagrams {
  private readonly drawings = new Map<HTMLElement, Drawing>();
  private readonly watcher: IntersectionObserver;

  constructor(root: HTMLElement) {
    this.watcher = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue;
          this.watcher.unobserve(target);
          this.drawings.get(target as HTMLElement)?.draw();
        }
      },
      { rootMargin: '600px' },
    );
    for (const pre of root.querySelectorAll<HTMLElement>('pre[data-language="mermaid"]')) {
      // A comparison marks words of the source: there the source is what there is to see.
      if (pre.querySelector('ins, del')) continue;
      this.drawings.set(pre, new Drawing(pre, nameOf(root, pre)));
      this.watcher.observe(pre);
    }
  }

  /** Shows the source that holds this element; true when it was folded. */
  unfold(element: Element): boolean {
    for (const [pre, drawing] of this.drawings) if (pre.contains(element)) return drawing.unfold();
    return false;
  }

  /** What stands for this element while its source is folded. */
  standIn(element: Element): Element | null {
    for (const [pre, drawing] of this.drawings) if (pre.contains(element)) return drawing.figure;
    return null;
  }

  dispose(): void {
    this.watcher.disconnect();
    for (const drawing of this.drawings.values()) drawing.dispose();
    this.drawings.clear();
  }
}

class Drawing {
  readonly figure = document.createElement('figure');
  private readonly toggle = document.createElement('button');
  private readonly source: HTMLElement;
  private frame: HTMLIFrameElement | null = null;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private text = '';

  constructor(
    private readonly pre: HTMLElement,
    private readonly name: string,
  ) {
    this.source = pre.closest<HTMLElement>('.codeblock') ?? pre;
    this.source.id ||= `diagram-source-${++count}`;
    this.figure.className = 'diagram';
    this.figure.setAttribute('data-no-anchor', '');
    this.toggle.type = 'button';
    this.toggle.className = 'btn';
    this.toggle.dataset.size = 'sm';
    this.toggle.dataset.variant = 'ghost';
    this.toggle.setAttribute('aria-controls', this.source.id);
    this.toggle.append(lineIcon('m8 7-5 5 5 5', 'm16 7 5 5-5 5'), document.createElement('span'));
    this.toggle.addEventListener('click', () => this.fold(!this.source.hidden));
  }

  draw(): void {
    this.text = (this.pre.querySelector('code') ?? this.pre).textContent ?? '';
    this.source.before(this.figure);
    if ([...this.text].length > SOURCE_CHARACTERS) {
      this.fail(`The diagram has more than ${SOURCE_CHARACTERS} characters.`);
      return;
    }
    const frame = document.createElement('iframe');
    this.frame = frame;
    frame.className = 'diagram__frame';
    frame.title = this.name;
    frame.tabIndex = -1;
    // Scripts of ours run in it; it has no origin, no storage, and cannot lead anywhere.
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.referrerPolicy = 'no-referrer';
    frame.src = FRAME;
    this.figure.append(frame);
    window.addEventListener('message', this.onMessage);
    this.wait(LOADING_MS, 'The diagram could not be drawn: its frame did not load.');
  }

  /** @returns whether it was folded */
  unfold(): boolean {
    if (!this.source.hidden) return false;
    this.fold(false);
    return true;
  }

  dispose(): void {
    this.end();
    this.frame?.remove();
    this.figure.remove();
    this.source.hidden = false;
  }

  private readonly onMessage = ({ source, origin, data }: MessageEvent<FrameMessage>): void => {
    const { frame } = this;
    if (!frame || source !== frame.contentWindow || origin !== 'null') return;
    if (data.type === 'ready') {
      const request: DrawRequest = {
        type: 'draw',
        id: this.source.id,
        source: this.text,
        theme: shownTheme(),
      };
      this.wait(
        DRAWING_MS,
        `The diagram could not be drawn: it takes longer than ${DRAWING_MS / 1_000} seconds.`,
      );
      // The frame has no origin that could be named here.
      frame.contentWindow?.postMessage(request, '*');
    } else if (data.type === 'failed') this.fail(data.reason);
    else if (data.type === 'drawn') this.show(frame, data.width, data.height);
  };

  private show(frame: HTMLIFrameElement, width: number, height: number): void {
    this.end();
    if (!(width > 0 && height > 0)) {
      this.fail('The diagram is empty.');
      return;
    }
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.maxInlineSize = `${width}px`;
    frame.dataset.drawn = '';
    this.figure.append(this.toggle);
    this.fold(!this.isInUse());
  }

  /** Whether the reader is in the source: by focus, by a selection, or at a thread on it. */
  private isInUse(): boolean {
    const { source } = this;
    const selection = document.getSelection();
    return (
      source.contains(document.activeElement) ||
      source.querySelector('mark[data-active]') !== null ||
      (selection !== null && !selection.isCollapsed && source.contains(selection.anchorNode))
    );
  }

  private fail(reason: string): void {
    this.end();
    this.frame?.remove();
    this.frame = null;
    const line = document.createElement('figcaption');
    line.className = 'diagram__failure';
    line.textContent = reason;
    this.figure.replaceChildren(line);
    this.source.hidden = false;
  }

  private wait(ms: number, reason: string): void {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.fail(reason), ms);
  }

  private end(): void {
    clearTimeout(this.patience);
    window.removeEventListener('message', this.onMessage);
  }

  private fold(folded: boolean): void {
    this.source.hidden = folded;
    this.toggle.setAttribute('aria-expanded', String(!folded));
    this.toggle.lastElementChild!.textContent = folded ? 'Show source' : 'Hide source';
  }
}

let count = 0;

/** The name of a drawing comes from the heading above it. */
function nameOf(root: HTMLElement, pre: HTMLElement): string {
  let name = '';
  for (const heading of root.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (!(heading.compareDocumentPosition(pre) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    name = heading.textContent?.replace(/\s+/gu, ' ').trim() ?? '';
  }
  return name === '' ? 'Diagram' : `Diagram: ${name}`;
}

function shownTheme(): DrawRequest['theme'] {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
