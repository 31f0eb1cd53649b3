import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

/** Reads wait for a server that is away as long as it takes; what was refused is not asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
      retry: (count, error) => error instanceof ApiProblem && error.isAway && count < 60,
      retryDelay: (attempt) => Math.min(1_000 * 1.6 ** attempt, 8_000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
