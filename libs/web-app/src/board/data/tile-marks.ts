/** How long a tile that others changed is marked, in ms. */
const GLOW_MS = 2_000;

function tilesOf(cardId: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(`[data-card="${CSS.escape(cardId)}"]`);
}

/** Marks what others changed for a moment. Set beside React, so that no tile is drawn anew for it. */
export function glow(cardIds: readonly string[]): void {
  // After the frame in which the tiles get their new place.
  setTimeout(() => {
    for (const id of cardIds) {
      for (const tile of tilesOf(id)) {
        tile.removeAttribute('data-stale');
        tile.setAttribute('data-fresh', '');
        setTimeout(() => tile.removeAttribute('data-fresh'), GLOW_MS);
      }
    }
  }, 50);
}

/** Says of tiles that could not be read anew that they may be out of date. */
export function markStale(cardIds: readonly string[]): void {
  for (const id of cardIds) {
    for (const tile of tilesOf(id)) {
      tile.setAttribute('data-stale', '');
      tile.title = 'This card may be out of date';
    }
  }
}
