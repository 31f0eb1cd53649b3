import { NavLink } from 'react-router';
import { useFlag } from '../../app/session';
import { TabBar } from '../../components/tab-bar';

/** The pages of the project settings. */
export function SettingsTabs({ projectId }: { readonly projectId: string }) {
  const board = useFlag('board.enabled');
  const base = `/projects/${projectId}/settings`;
  return (
    <TabBar label="Project settings">
      <NavLink to={base} end>
        General
      </NavLink>
      <NavLink to={`${base}/members`}>Members</NavLink>
      {board && <NavLink to={`${base}/board`}>Board</NavLink>}
      {board && <NavLink to={`${base}/workflow`}>Workflow</NavLink>}
      {board && <NavLink to={`${base}/automation`}>Automation</NavLink>}
      <NavLink to={`${base}/site-review`}>Site review</NavLink>
    </TabBar>
  );
}
