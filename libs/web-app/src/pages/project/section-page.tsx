import { useLocation } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { useSession } from '../../app/session';
import { NotFoundPage, SwitchedOffPage } from '../not-found-page';
import { flagOfSection } from './section-flags';

/** Stands at an address below a project that has no page: switched off when its flag is, else not found. */
export function SectionPage() {
  const { pathname } = useLocation();
  const { id } = useCurrentProject();
  const { flags } = useSession();
  const flag = flagOfSection(pathname.slice(`/projects/${id}/`.length));
  return flag !== null && flags[flag] === false ? <SwitchedOffPage /> : <NotFoundPage />;
}
