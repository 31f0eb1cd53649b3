import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { AdminOverview } from '../../api/types';

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => api.get<AdminOverview>('/admin/overview', { signal }),
  refetchInterval: 15_000,
});
