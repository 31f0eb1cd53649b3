import type { RowFilters } from '../api';
import { STATES } from './filters';

/** What the address says of a list of cards. */
export function rowFiltersOf(search: URLSearchParams): RowFilters {
  const page = Number(search.get('page'));
  const dir = search.get('dir');
  const state = search.get('state') ?? '';
  return {
    q: search.get('q') ?? '',
    type: search.get('type') ?? '',
    epic: search.get('epic') ?? '',
    state: STATES.includes(state) ? state : '',
    sort: search.get('sort') ?? '',
    dir: dir === 'asc' || dir === 'desc' ? dir : '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

export function isNarrowed({ q, type, epic, state }: RowFilters): boolean {
  return q !== '' || type !== '' || epic !== '' || state !== '';
}

/** What a press on the head of a column asks for: first one way, then the other, then the order of the list again. */
export function nextSort(
  { sort, dir }: Pick<RowFilters, 'sort' | 'dir'>,
  column: string,
  first: 'asc' | 'desc',
): { readonly sort: string | null; readonly dir: string | null } {
  if (sort !== column) return { sort: column, dir: first };
  const second = first === 'asc' ? 'desc' : 'asc';
  return dir === second ? { sort: null, dir: null } : { sort: column, dir: second };
}
