import { useSearchParams } from 'react-router';
import type { ProjectTile } from '../../api/types';
import { useProjects } from '../../app/session';

/** The project that the wizard is about: the one in the address, else the newest. */
export function useWizardProject(): { loading: boolean; project: ProjectTile | null } {
  const [search] = useSearchParams();
  const { data: projects, isPending } = useProjects();
  const wanted = search.get('project');
  return {
    loading: isPending,
    project: projects?.find((each) => each.id === wanted) ?? projects?.[0] ?? null,
  };
}
