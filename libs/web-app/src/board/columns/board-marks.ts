import { useCallback, useSyncExternalStore } from 'react';
import { createStore } from '../../app/store';

interface Marks {
  readonly selected: ReadonlySet<string>;
  readonly dragged: ReadonlySet<string>;
  /** The card in the drawer. */
  readonly open: string | null;
}

export const NOTHING: ReadonlySet<string> = new Set();

/** What is selected, dragged and open. Outside React, so that only the tiles concerned are drawn again. */
export const marks = createStore<Marks>({ selected: NOTHING, dragged: NOTHING, open: null });

export const SELECTED = 1;
export const DRAGGED = 2;
export const OPEN = 4;

/** The marks of one tile, as bits. */
export function useTileMarks(cardId: string): number {
  return useSyncExternalStore(
    marks.subscribe,
    useCallback(() => {
      const { selected, dragged, open } = marks.get();
      return (
        (selected.has(cardId) ? SELECTED : 0) |
        (dragged.has(cardId) ? DRAGGED : 0) |
        (open === cardId ? OPEN : 0)
      );
    }, [cardId]),
  );
}

export function toggleSelected(cardId: string): void {
  marks.set((now) => {
    const selected = new Set(now.selected);
    if (!selected.delete(cardId)) selected.add(cardId);
    return { ...now, selected };
  });
}

export function clearSelected(): void {
  marks.set((now) => (now.selected.size === 0 ? now : { ...now, selected: NOTHING }));
}
