import type { LibraryFilters } from '../shapes';

const TYPES = ['app', 'markdown', 'asset'];
const ORIGINS = ['push', 'empty', 'import', 'p2c', 'l2c', 'f2c', 'duplicate'];

/** Filters of the address; values that mean nothing are passed over, so that all artifacts show. */
export function filtersOf(search: URLSearchParams): LibraryFilters {
  const page = Number(search.get('page') ?? '1');
  const known = (name: string, values: readonly string[]) => {
    const value = search.get(name) ?? '';
    return values.includes(value) ? value : '';
  };
  return {
    search: (search.get('q') ?? '').trim().slice(0, 200),
    workspaceId: (search.get('workspace') ?? '').trim(),
    artifactType: known('type', TYPES),
    origin: known('origin', ORIGINS),
    sort: search.get('sort') === 'newest' ? 'newest' : 'changed',
    archived: search.get('archived') === 'true',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of these filters; what is not set is not in it. */
export function searchOf(filters: LibraryFilters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.search) search.set('q', filters.search);
  if (filters.workspaceId) search.set('workspace', filters.workspaceId);
  if (filters.artifactType) search.set('type', filters.artifactType);
  if (filters.origin) search.set('origin', filters.origin);
  if (filters.sort !== 'changed') search.set('sort', filters.sort);
  if (filters.archived) search.set('archived', 'true');
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

/** Whether something narrows the list; the choice of a workspace is a place and no filter. */
export function isFiltered(filters: LibraryFilters): boolean {
  return filters.search !== '' || filters.artifactType !== '' || filters.origin !== '';
}
