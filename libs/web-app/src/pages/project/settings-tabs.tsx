import { NavLink } from 'react-router';

/** The pages of the project settings. */
export function SettingsTabs({ projectId }: { readonly projectId: string }) {
  const base = `/projects/${projectId}/settings`;
  return (
    <nav className="tabs" aria-label="Project settings">
      <NavLink to={base} end>
        General
      </NavLink>
      <NavLink to={`${base}/site-review`}>Site review</NavLink>
    </nav>
  );
}
