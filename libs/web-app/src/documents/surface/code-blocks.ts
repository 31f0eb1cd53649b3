import { announce } from '../../components/announcer';
import { lineIcon } from './glyph';

/** Longer code stays plain: colouring it would hold up the page. */
const LONGEST = 50_000;

/**
 * Gives each code block a copy button, makes it reachable by keyboard, and colours it when it
 * comes near the screen. The text of the block never changes. `changed` is told of a
 * block whose nodes were replaced.
 */
export function dressCodeBlocks(root: HTMLElement, changed: (pre: HTMLElement) => void): () => void {
  const blocks = [...root.querySelectorAll<HTMLElement>('pre')];
  for (const pre of blocks) frame(pre);
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        void colour(target as HTMLElement, changed);
      }
    },
    { rootMargin: '600px' },
  );
  for (const pre of blocks) watcher.observe(pre);
  return () => watcher.disconnect();
}

function frame(pre: HTMLElement): void {
  if (pre.parentElement?.classList.contains('codeblock')) return;
  const box = document.createElement('div');
  box.className = 'codeblock';
  pre.before(box);
  box.append(pre);
  numberLines(box, pre);
  if (!pre.hasAttribute('tabindex')) pre.tabIndex = 0;
  const language = pre.dataset.language;
  // A group, not a region: a text with forty blocks of code has no forty landmarks.
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', language ? `Code, ${language}` : 'Code');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn';
  button.dataset.icon = '';
  button.dataset.variant = 'ghost';
  button.dataset.size = 'sm';
  button.setAttribute('data-no-anchor', '');
  button.setAttribute('aria-label', 'Copy code');
  button.title = 'Copy code';
  button.append(copyIcon());
  button.addEventListener('click', () => void copy(pre, button));
  box.append(button);
}

/** Numbers stand beside the code, outside of its text; a line or two need none. */
function numberLines(box: HTMLElement, pre: HTMLElement): void {
  const lines = (pre.textContent ?? '').replace(/\n$/, '').split('\n').length;
  if (lines < 4) return;
  const gutter = document.createElement('span');
  gutter.className = 'codeblock__lines';
  gutter.setAttribute('data-no-anchor', '');
  gutter.setAttribute('aria-hidden', 'true');
  gutter.textContent = Array.from({ length: lines }, (_, index) => index + 1).join('\n');
  box.dataset.numbered = '';
  pre.before(gutter);
}

const copyIcon = () => lineIcon('M8 8h12v12H8z', 'M16 8V4H4v12h4');
const doneIcon = () => lineIcon('m5 12 5 5L20 7');

async function copy(pre: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const text = pre.querySelector('code')?.textContent ?? pre.textContent ?? '';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const range = document.createRange();
    range.selectNodeContents(pre.querySelector('code') ?? pre);
    const selection = document.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
    announce('The code is selected. Copy it with the keys of your system.');
    return;
  }
  announce('Copied code.');
  button.replaceChildren(doneIcon());
  setTimeout(() => button.replaceChildren(copyIcon()), 2_000);
}

async function colour(pre: HTMLElement, changed: (pre: HTMLElement) => void): Promise<void> {
  const code = pre.querySelector('code') ?? pre;
  const text = code.textContent ?? '';
  const language = pre.dataset.language;
  if (!language || text.length > LONGEST || code.querySelector('[class^="tok-"], ins, del')) return;
  const { paintCode, showInvisible } = await import('./paint-code');
  const painted = await paintCode(text, language);
  if (!painted || !code.isConnected || code.textContent !== text) return;
  code.replaceChildren(painted);
  showInvisible(code);
  changed(pre);
}
