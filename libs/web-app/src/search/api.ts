import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client';
import type { Found } from './shapes';

/** Characters of a search; the server cuts what is longer, so no more is sent. */
const SEARCH_CHARACTERS = 200;

/** Rest of the keyboard before a search is asked, in ms. */
export const TYPING_REST_MS = 150;

export interface Search {
  readonly words: string;
  /** Null looks in all projects. */
  readonly projectId: string | null;
  readonly page: number;
}

/**
 * A search. It fails at once, so that its reader can press Search again; another one drops the request of the one before.
 */
export const searchQuery = ({ words, projectId, page }: Search) =>
  queryOptions({
    queryKey: ['search', projectId, words, page],
    queryFn: ({ signal }) =>
      api.get<Found>('/search', {
        signal,
        // One more than is looked for: the answer says whether anything was cut.
        query: { q: firstCharacters(words, SEARCH_CHARACTERS + 1), project: projectId, page },
      }),
    retry: false,
    staleTime: 5_000,
    gcTime: 60_000,
  });

function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('');
}

/** Address of the page of results. */
export function searchPath({ words, projectId, page = 1 }: Omit<Search, 'page'> & { page?: number }): string {
  const search = new URLSearchParams();
  if (words !== '') search.set('q', words);
  if (projectId !== null) search.set('project', projectId);
  if (page > 1) search.set('page', String(page));
  const query = search.toString();
  return query === '' ? '/search' : `/search?${query}`;
}

/** A value once it has rested. An empty text rests at once. */
export function useRested(value: string, ms = TYPING_REST_MS): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (value === '') {
      setRested('');
      return;
    }
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value === '' ? '' : rested;
}
