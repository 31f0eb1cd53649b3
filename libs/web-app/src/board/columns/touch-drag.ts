import type { Drag } from './drag';

/** How long a finger rests on a tile before it lifts it, in ms. */
const LONG_PRESS_MS = 300;
/** A finger that moves further than this scrolls, in px. */
const SLOP = 8;

/**
 * Lifts tiles by a long press, because a swipe must scroll. Listens on the whole board. `lift` names the cards that go
 * with the tile, or null when it may not be moved. Gives the function that stops listening.
 */
export function listenForTouch(
  root: HTMLElement,
  drag: Drag,
  lift: (cardId: string) => readonly string[] | null,
): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let from = { x: 0, y: 0 };
  let ghost: HTMLElement | null = null;
  let grip = { x: 0, y: 0 };
  let justDragged = false;

  const forget = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const finish = (commit: boolean) => {
    forget();
    if (!ghost) return;
    ghost.remove();
    ghost = null;
    justDragged = true;
    setTimeout(() => {
      justDragged = false;
    }, 400);
    drag.end(commit);
  };
  const begin = (tile: HTMLElement) => {
    timer = null;
    const ids = lift(tile.dataset.card ?? '');
    if (!ids) return;
    const box = tile.getBoundingClientRect();
    grip = { x: from.x - box.left, y: from.y - box.top };
    ghost = tile.cloneNode(true) as HTMLElement;
    ghost.removeAttribute('data-card');
    ghost.setAttribute('aria-hidden', 'true');
    ghost.classList.add('tile-ghost');
    ghost.style.inlineSize = `${box.width}px`;
    document.body.append(ghost);
    place(from.x, from.y);
    navigator.vibrate?.(10);
    drag.start(ids);
    drag.move(from.x, from.y);
  };
  const place = (x: number, y: number) => {
    if (ghost) ghost.style.transform = `translate(${x - grip.x}px, ${y - grip.y}px) rotate(1deg)`;
  };

  const onStart = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (event.touches.length !== 1 || !touch) {
      finish(false);
      return;
    }
    const target = event.target instanceof Element ? event.target : null;
    const tile = target?.closest<HTMLElement>('[data-card]');
    if (!tile || target?.closest('button')) return;
    from = { x: touch.clientX, y: touch.clientY };
    timer = setTimeout(() => begin(tile), LONG_PRESS_MS);
  };
  const onMove = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (!touch) return;
    if (ghost) {
      event.preventDefault();
      place(touch.clientX, touch.clientY);
      drag.move(touch.clientX, touch.clientY);
    } else if (Math.hypot(touch.clientX - from.x, touch.clientY - from.y) > SLOP) forget();
  };
  const onEnd = (event: TouchEvent) => {
    if (ghost) event.preventDefault();
    finish(true);
  };
  const onCancel = () => finish(false);
  // The long press of the browser would open its own menu or drag the link.
  const onMenu = (event: Event) => {
    if (ghost || timer) event.preventDefault();
  };
  const onClick = (event: Event) => {
    if (!justDragged) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') finish(false);
  };

  root.addEventListener('touchstart', onStart, { passive: true });
  root.addEventListener('touchmove', onMove, { passive: false });
  root.addEventListener('touchend', onEnd);
  root.addEventListener('touchcancel', onCancel);
  root.addEventListener('contextmenu', onMenu);
  root.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKey);
  return () => {
    finish(false);
    root.removeEventListener('touchstart', onStart);
    root.removeEventListener('touchmove', onMove);
    root.removeEventListener('touchend', onEnd);
    root.removeEventListener('touchcancel', onCancel);
    root.removeEventListener('contextmenu', onMenu);
    root.removeEventListener('click', onClick, true);
    document.removeEventListener('keydown', onKey);
  };
}
