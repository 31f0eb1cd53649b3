import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { ConnectInfo, Machine } from '../../api/types';

export const connectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['connect', projectId],
    queryFn: ({ signal }) => api.get<ConnectInfo>(`/projects/${projectId}/connect`, { signal }),
    staleTime: 5 * 60_000,
  });

/** What this person's machines look like from here. Asked again every 20 s too, as an event only tells of new ones. */
export const machinesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['machines', projectId],
    queryFn: async ({ signal }) =>
      (await api.get<{ machines: Machine[] }>(`/projects/${projectId}/machines`, { signal })).machines,
    refetchInterval: 20_000,
  });
