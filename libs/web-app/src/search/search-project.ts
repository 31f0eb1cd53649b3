import { useLocation, useParams, useSearchParams } from 'react-router';
import type { ProjectTile } from '../api/types';
import { useProjects } from '../app/session';

/** The project that a search looks in: that of the address; null elsewhere, where it looks in all. */
export function useSearchProject(): ProjectTile | null {
  const { projectId } = useParams();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const { data: projects } = useProjects();
  const id = projectId ?? (pathname === '/search' ? search.get('project') : null);
  return projects?.find((each) => each.id === id) ?? null;
}
