import type { ProjectTile } from '../api/types';
import { useProjects, useSession } from '../app/session';
import { useSearchProject } from '../search/search-project';

/** The project that the sidebar shows: that of the address, else the one that was looked at last. */
export function useSidebarProject(): ProjectTile | null {
  const ofAddress = useSearchProject();
  const { lastProjectId } = useSession();
  const { data: projects } = useProjects();
  return ofAddress ?? projects?.find((each) => each.id === lastProjectId) ?? projects?.[0] ?? null;
}
