import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { PeoplePage, PersonDetails, PersonState } from '../../api/types';

export interface PeopleFilters {
  readonly q: string;
  readonly state: string;
  readonly page: number;
}

/** States to filter by, in words. */
export const STATES: Readonly<Record<string, string>> = {
  active: 'Active',
  unverified: 'Address not confirmed',
  suspended: 'Suspended',
  admin: 'Administrators',
};

/** Filters as they stand in the address; what is no filter is left out. */
export function peopleFilters(search: URLSearchParams): PeopleFilters {
  const state = search.get('state') ?? '';
  const page = Number(search.get('page') ?? 1);
  return {
    q: search.get('q') ?? '',
    state: Object.hasOwn(STATES, state) ? state : '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

export const peopleQuery = ({ q, state, page }: PeopleFilters) =>
  queryOptions({
    queryKey: ['admin', 'people', { q, state, page }],
    queryFn: ({ signal }) =>
      api.get<PeoplePage>('/admin/people', {
        signal,
        query: { q: q === '' ? undefined : q, state: state === '' ? undefined : state, page },
      }),
    placeholderData: keepPreviousData,
  });

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'person', id],
    queryFn: ({ signal }) => api.get<PersonDetails>(`/admin/people/${encodeURIComponent(id)}`, { signal }),
  });

/** How a state looks. */
export const STATE_CHIPS: Readonly<
  Record<
    PersonState,
    { tone: 'good' | 'neutral' | 'bad'; glyph: 'done' | 'waiting' | 'blocked'; word: string }
  >
> = {
  active: { tone: 'good', glyph: 'done', word: 'Active' },
  unverified: { tone: 'neutral', glyph: 'waiting', word: 'Not confirmed' },
  suspended: { tone: 'bad', glyph: 'blocked', word: 'Suspended' },
};
