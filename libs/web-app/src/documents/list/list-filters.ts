import type { DocumentStatus, ListFilters } from '../shapes';

export const STATUSES: readonly DocumentStatus[] = ['draft', 'in-review', 'approved', 'changes-requested'];

/** No filter, the first page. */
export const ALL_DOCUMENTS: ListFilters = {
  q: '',
  status: '',
  tag: '',
  series: '',
  archived: false,
  waiting: false,
  page: 1,
};

/** Filters of the address; values that mean nothing are passed over, so that all rows show. */
export function filtersOf(search: URLSearchParams): ListFilters {
  const status = search.get('status') ?? '';
  const page = Number(search.get('page') ?? '1');
  return {
    q: (search.get('q') ?? '').trim().slice(0, 500),
    status: (STATUSES as readonly string[]).includes(status) ? status : '',
    tag: (search.get('tag') ?? '').trim(),
    series: (search.get('series') ?? '').trim(),
    archived: ['1', 'true'].includes(search.get('archived') ?? ''),
    waiting: ['1', 'true'].includes(search.get('waiting') ?? ''),
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of these filters; what is not set is not in it. */
export function searchOf(filters: ListFilters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.q) search.set('q', filters.q);
  if (filters.status) search.set('status', filters.status);
  if (filters.tag) search.set('tag', filters.tag);
  if (filters.series) search.set('series', filters.series);
  if (filters.archived) search.set('archived', 'true');
  if (filters.waiting) search.set('waiting', 'true');
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

export function isFiltered(filters: ListFilters): boolean {
  const { q, status, tag, series, waiting } = filters;
  return q !== '' || status !== '' || tag !== '' || series !== '' || waiting;
}
