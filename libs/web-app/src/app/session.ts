import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api, holdCsrfToken, onCsrfOutOfDate } from '../api/client';
import { allowLive } from '../api/live';
import type { Project, ProjectTile, Session } from '../api/types';
import { queryClient } from './query-client';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await api.get<Session>('/session', { signal });
    holdCsrfToken(session.csrfToken);
    allowLive(session.flags['live_updates.enabled'] !== false);
    return session;
  },
  staleTime: 60_000,
});

onCsrfOutOfDate(async () => {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
});

/** The session of the person at the screen. The shell has loaded it before any page renders. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether a section or a feature is switched on; unknown names are on, so that a new page never hides by mistake. */
export function useFlag(name: string): boolean {
  return useSession().flags[name] !== false;
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) =>
    (await api.get<{ projects: ProjectTile[] }>('/projects', { signal })).projects,
});

export function useProjects() {
  return useQuery(projectsQuery);
}

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) => api.get<Project>(`/projects/${projectId}`, { signal }),
  });

export function useProject(projectId: string) {
  return useQuery(projectQuery(projectId));
}

/** What a role may do, for showing and hiding controls; the server decides again on every write. */
export function mayContribute(role: Project['role'] | undefined): boolean {
  return role !== undefined && role !== 'viewer';
}

export function mayAdminister(role: Project['role'] | undefined): boolean {
  return role === 'owner' || role === 'maintainer';
}
