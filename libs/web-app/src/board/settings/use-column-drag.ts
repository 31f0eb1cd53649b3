import { useEffect, useRef, useState } from 'react';
import { indexAt } from '../model/place';

/**
 * Drags rows of a list by their grip, with the mouse or a finger. Pointer events are enough here: the list is short and
 * does not scroll by itself.
 */
export function useColumnDrag(
  element: HTMLElement | null,
  onPlace: (from: number, to: number) => Promise<void>,
): { readonly dragged: number | null; readonly over: number | null } {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const place = useRef(onPlace);
  place.current = onPlace;

  useEffect(() => {
    if (!element) return;
    let from: number | null = null;
    let to: number | null = null;
    const rows = () => [...element.querySelectorAll<HTMLElement>('[data-column-row]')];
    const onDown = (event: PointerEvent) => {
      const grip = (event.target as Element).closest('.column-row__grip');
      const row = grip?.closest<HTMLElement>('[data-column-row]');
      if (!row || event.button !== 0) return;
      event.preventDefault();
      from = Number(row.dataset.columnRow);
      to = from;
      element.setPointerCapture(event.pointerId);
      setDragged(from);
    };
    const onMove = (event: PointerEvent) => {
      if (from === null) return;
      const others = rows().filter((_, index) => index !== from);
      to = indexAt(
        others.map((row) => row.getBoundingClientRect()),
        event.clientY,
      );
      setOver(to);
    };
    const end = (commit: boolean) => {
      const [start, stop] = [from, to];
      from = null;
      to = null;
      setDragged(null);
      setOver(null);
      if (commit && start !== null && stop !== null) void place.current(start, stop);
    };
    const onUp = () => end(true);
    const onCancel = () => end(false);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') end(false);
    };
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerup', onUp);
    element.addEventListener('pointercancel', onCancel);
    document.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerup', onUp);
      element.removeEventListener('pointercancel', onCancel);
      document.removeEventListener('keydown', onKey);
    };
  }, [element]);
  return { dragged, over };
}
