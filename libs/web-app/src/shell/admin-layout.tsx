import { Outlet } from 'react-router';
import { useSession } from '../app/session';
import { NotFoundPage } from '../pages/not-found-page';

/** Pages of the admin area; to everybody else they do not exist. */
export default function AdminLayout() {
  return useSession().person.isAdmin ? <Outlet /> : <NotFoundPage />;
}
