import { type CodeToPaint, cutAtTokens, type PaintedCode, type Token } from './code-tokens';
import { INVISIBLE, nameOfInvisible } from './invisible';

type Waiting = (tokens: readonly Token[] | null) => void;

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let lastId = 0;

/** Coloured copy of code as elements whose text is exactly the code; null for what stays plain. */
export async function paintCode(code: string, language: string): Promise<DocumentFragment | null> {
  const tokens = await tokensOf(code, language);
  if (!tokens) return null;
  const fragment = document.createDocumentFragment();
  for (const [text, name] of cutAtTokens(code, tokens)) {
    if (name) {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = text;
      fragment.append(span);
    } else fragment.append(text);
  }
  return fragment;
}

function tokensOf(code: string, language: string): Promise<readonly Token[] | null> {
  worker ??= startWorker();
  const id = ++lastId;
  return new Promise((done) => {
    waiting.set(id, done);
    worker!.postMessage({ id, code, language } satisfies CodeToPaint);
  });
}

function startWorker(): Worker {
  const made = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module', name: 'code' });
  made.addEventListener('message', ({ data }: MessageEvent<PaintedCode>) => {
    waiting.get(data.id)?.(data.tokens);
    waiting.delete(data.id);
  });
  // Its files could not be loaded: the code stays plain, and the next block tries again.
  made.addEventListener('error', () => {
    made.terminate();
    worker = null;
    for (const done of waiting.values()) done(null);
    waiting.clear();
  });
  return made;
}

/** Wraps invisible characters as the renderer does, so that the sheet shows them by name; the text stays. */
export function showInvisible(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (INVISIBLE.test((node as Text).data)) found.push(node as Text);
  }
  for (const text of found) {
    const parts = text.data.split(new RegExp(`(${INVISIBLE.source})`, 'u'));
    text.replaceWith(
      ...parts.filter(Boolean).map((part) => {
        if (part.length !== 1 || !INVISIBLE.test(part)) return document.createTextNode(part);
        const span = document.createElement('span');
        span.className = 'invisible-mark';
        span.dataset.codePoint = nameOfInvisible(part);
        span.textContent = part;
        return span;
      }),
    );
  }
}
