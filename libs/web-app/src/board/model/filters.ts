import type { BoardView } from '../api';

/** What the address says of the view of the board. */
export function viewOf(search: URLSearchParams, lanes: boolean): BoardView {
  const state = search.get('state') ?? '';
  return {
    lanes,
    q: search.get('q') ?? '',
    type: search.get('type') ?? '',
    state: STATES.includes(state) ? state : '',
  };
}

export function isFiltered(view: BoardView): boolean {
  return view.q !== '' || view.type !== '' || view.state !== '';
}

/** Kinds of states that a view may be narrowed to. */
export const STATES: readonly string[] = ['stuck', 'needs-you', 'working', 'waiting'];

/** Sets or takes away parts of the address, and keeps the rest. */
export function changed(
  search: URLSearchParams,
  part: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(part)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
