/** Gives the keyboard back to a tile, unless it went somewhere else meanwhile. */
export function focusTile(cardId: string): void {
  requestAnimationFrame(() => {
    const elsewhere = document.activeElement;
    if (elsewhere && elsewhere !== document.body && !elsewhere.matches('[data-card], main')) return;
    const tile = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(cardId)}"]`);
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

/** The tile that an arrow, Home or End leads to. */
export function neighbourOf(tile: HTMLElement, key: string): HTMLElement | null {
  const slot = tile.closest('[data-slot]');
  const list = slot?.parentElement;
  if (!slot || !list) return null;
  const slots = [...list.querySelectorAll(':scope > [data-slot]')];
  const at = slots.indexOf(slot);
  const tileOf = (element: Element | undefined) => element?.querySelector<HTMLElement>('[data-card]') ?? null;
  if (key === 'ArrowUp') return tileOf(slots[at - 1]) ?? tileAcross(list, -1, true);
  if (key === 'ArrowDown') return tileOf(slots[at + 1]) ?? tileAcross(list, 1, false);
  if (key === 'Home') return tileOf(slots[0]);
  if (key === 'End') return tileOf(slots.at(-1));
  const forth = (key === 'ArrowRight') === (getComputedStyle(list).direction !== 'rtl');
  let column = list.closest('.col');
  while (column) {
    column = forth ? column.nextElementSibling : column.previousElementSibling;
    const others = column ? [...column.querySelectorAll('[data-slot]')] : [];
    if (others.length > 0) return tileOf(others[Math.min(at, others.length - 1)]);
  }
  return null;
}

/** In lanes, up and down go on in the same column of the lane above or below. */
function tileAcross(list: Element, by: 1 | -1, last: boolean): HTMLElement | null {
  const column = list.closest<HTMLElement>('.col')?.dataset.column;
  let lane = list.closest('.lane');
  while (lane) {
    lane = by === 1 ? lane.nextElementSibling : lane.previousElementSibling;
    const tiles = lane?.querySelectorAll<HTMLElement>(
      `.col[data-column="${CSS.escape(column ?? '')}"] [data-card]`,
    );
    if (tiles && tiles.length > 0) return tiles[last ? tiles.length - 1 : 0] ?? null;
  }
  return null;
}

/** Where the arrows start when no tile has the focus. */
export function focusFirstTile(): void {
  document.querySelector<HTMLElement>('.board [data-card]')?.focus();
}
