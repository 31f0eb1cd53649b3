import { useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { ArrowLeft, Keyboard, Monitor, Moon, Shield, Sun } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useProject, useSession } from '../app/session';
import { setTheme, type Theme, useTheme } from '../app/theme';
import { Icon, Mark } from '../components/icon';
import { Menu, MenuChoice } from '../components/menu';
import { overviewQuery } from '../pages/admin/admin-data';
import { AccountMenu } from './account-menu';
import { ProjectPicker } from './project-picker';
import { ADMIN_SECTIONS, PROJECT_END, SECTIONS, type Section } from './sections';
import { useSidebarProject } from './sidebar-project';

export interface SidebarProps {
  readonly rail: boolean;
  readonly onShowKeys: () => void;
}

export function Sidebar({ rail, onShowKeys }: SidebarProps) {
  const { pathname } = useLocation();
  const { person, flags } = useSession();
  const project = useSidebarProject();
  const admin = person.isAdmin && (pathname === '/admin' || pathname.startsWith('/admin/'));

  const sectionLink = (section: Section) => {
    if (!project) return null;
    if (section.flag && flags[section.flag] === false) return null;
    if (section.may && !section.may(project.role)) return null;
    return <ProjectLink key={section.title} section={section} projectId={project.id} />;
  };

  return (
    <nav className="sidebar" id="sidebar" aria-label="Main">
      <div className="stack" data-fill="" data-gap="none">
        <div className="sidebar__top">
          <Link className="brand" to="/projects" title="Projects">
            <Mark />
            <span>Loupe</span>
          </Link>
        </div>
        {admin ? (
          <SideLink
            to={project ? `/projects/${project.id}` : '/projects'}
            icon={ArrowLeft}
            text={project ? `Back to ${project.name}` : 'Back to projects'}
            current={false}
          />
        ) : (
          <ProjectPicker current={project} />
        )}
      </div>
      {admin ? <AdminLinks /> : project && <ul className="side-group">{SECTIONS.map(sectionLink)}</ul>}
      <ul className="side-group" data-place="end">
        {!admin && PROJECT_END.map(sectionLink)}
        {!admin && person.isAdmin && (
          <li>
            <SideLink to="/admin" icon={Shield} text="Administration" current={false} />
          </li>
        )}
        <li>
          <ThemeSwitch />
        </li>
        <li>
          <button type="button" className="side-link" title="Keys" onClick={onShowKeys}>
            <Icon icon={Keyboard} />
            <span className="side-link__text">Keys</span>
          </button>
        </li>
        <li>
          <AccountMenu rail={rail} />
        </li>
      </ul>
    </nav>
  );
}

function AdminLinks() {
  const { pathname } = useLocation();
  const { data: overview } = useQuery(overviewQuery);
  const { flags } = useSession();
  const failed = overview?.failedJobs ?? 0;
  return (
    <div>
      <p className="side-label">Administration</p>
      <ul className="side-group">
        {ADMIN_SECTIONS.filter((each) => !each.flag || flags[each.flag] !== false).map((each) => (
          <li key={each.to}>
            <SideLink
              to={each.to}
              icon={each.icon}
              text={each.title}
              current={each.to === '/admin' ? pathname === '/admin' : pathname.startsWith(each.to)}
            >
              {each.to === '/admin/jobs' && failed > 0 && (
                <span className="count" data-tone="warn">
                  {failed > 99 ? '99+' : failed}
                  <span className="visually-hidden"> failed</span>
                </span>
              )}
            </SideLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ProjectLink({ section, projectId }: { readonly section: Section; readonly projectId: string }) {
  const { pathname } = useLocation();
  const { data: project } = useProject(projectId);
  const base = `/projects/${projectId}`;
  const to = `${base}${section.path}`;
  const current = section.path === '' ? pathname === base : pathname === to || pathname.startsWith(`${to}/`);
  const count = project && section.count?.(project);
  return (
    <li>
      <SideLink to={to} icon={section.icon} text={section.title} current={current}>
        {count !== undefined && count.n > 0 && (
          <span className="count">
            {count.n > 99 ? '99+' : count.n}
            <span className="visually-hidden"> {count.what}</span>
          </span>
        )}
      </SideLink>
    </li>
  );
}

interface SideLinkProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly text: string;
  readonly current: boolean;
  readonly children?: React.ReactNode;
}

function SideLink({ to, icon, text, current, children }: SideLinkProps) {
  return (
    <Link className="side-link" to={to} title={text} aria-current={current ? 'page' : undefined}>
      <Icon icon={icon} flip={icon === ArrowLeft} />
      <span className="side-link__text">{text}</span>
      {children}
    </Link>
  );
}

const THEMES: readonly { value: Theme; label: string; icon: LucideIcon }[] = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

function ThemeSwitch() {
  const theme = useTheme();
  const shown = THEMES.find((each) => each.value === theme) ?? THEMES[0];
  return (
    <Menu
      side="top"
      align="start"
      label="Theme"
      trigger={
        <button type="button" className="side-link" title="Theme">
          <Icon icon={shown?.icon ?? Monitor} />
          <span className="side-link__text">Theme: {shown?.label}</span>
        </button>
      }
    >
      <MenuChoice label="Theme" value={theme} onChange={(next) => setTheme(next as Theme)} options={THEMES} />
    </Menu>
  );
}
