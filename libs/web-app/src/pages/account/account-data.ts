import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Account, ConnectionGroup, SessionRow } from '../../api/types';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api.get<Account>('/account', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await api.get<{ sessions: SessionRow[] }>('/account/sessions', { signal })).sessions,
});

export const connectionsQuery = queryOptions({
  queryKey: ['account', 'connections'],
  queryFn: async ({ signal }) =>
    (await api.get<{ groups: ConnectionGroup[] }>('/account/connections', { signal })).groups,
});
