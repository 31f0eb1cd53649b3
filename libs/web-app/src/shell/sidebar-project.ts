import { useParams } from 'react-router';
import type { ProjectTile } from '../api/types';
import { useProjects, useSession } from '../app/session';

/** The project that the sidebar shows: that of the address, else the one that was looked at last. */
export function useSidebarProject(): ProjectTile | null {
  const { projectId } = useParams();
  const { lastProjectId } = useSession();
  const { data: projects } = useProjects();
  return (
    projects?.find((each) => each.id === projectId) ??
    projects?.find((each) => each.id === lastProjectId) ??
    projects?.[0] ??
    null
  );
}
