import { NavLink } from 'react-router';
import { useCurrentProject } from '../app/current-project';
import { mayAdminister, useFlag } from '../app/session';
import { TabBar } from '../components/tab-bar';
import { artifactPaths } from './api';

/** The two halves of the library, and its settings. */
export function LibraryTabs({ projectId }: { readonly projectId: string }) {
  const typed = useFlag('artifacts.typed.enabled');
  const { role } = useCurrentProject();
  const paths = artifactPaths(projectId);
  if (!typed && !mayAdminister(role)) return null;
  return (
    <TabBar label="Library">
      <NavLink to={paths.list} end>
        Artifacts
      </NavLink>
      {typed && <NavLink to={paths.charts}>Charts</NavLink>}
      {mayAdminister(role) && <NavLink to={paths.settings}>Settings</NavLink>}
    </TabBar>
  );
}
