import { Navigate } from 'react-router';
import { useSession } from '../app/session';

/** `/` leads to the project that was looked at last. */
export function HomePage() {
  const { lastProjectId } = useSession();
  return <Navigate replace to={lastProjectId ? `/projects/${lastProjectId}` : '/projects'} />;
}
