import {
  BookOpen,
  Download,
  Info,
  Keyboard,
  KeyRound,
  Layers,
  type LucideIcon,
  Monitor,
  Moon,
  Plug,
  Plus,
  Sun,
  UserRound,
} from 'lucide-react';
import type { ProjectTile, Session } from '../api/types';
import { mayContribute } from '../app/session';
import { setTheme } from '../app/theme';
import { ADMIN_SECTIONS, PROJECT_END, SECTIONS } from './sections';

export interface PaletteAction {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly sub?: string;
  readonly run: () => void;
}

interface Reach {
  readonly project: ProjectTile | null;
  readonly session: Session;
  readonly open: (to: string) => () => void;
  readonly close: () => void;
  readonly showKeys: () => void;
}

/** Every page this person may open and everything that can be done from anywhere. */
export function paletteActions({ project, session, open, close, showKeys }: Reach): readonly PaletteAction[] {
  const actions: PaletteAction[] = [];
  if (project) {
    for (const each of [...SECTIONS, ...PROJECT_END]) {
      if (each.flag && session.flags[each.flag] === false) continue;
      if (each.may && !each.may(project.role)) continue;
      actions.push({
        icon: each.icon,
        title: each.title,
        sub: project.name,
        run: open(`/projects/${project.id}${each.path}`),
      });
    }
    if (mayContribute(project.role)) {
      actions.push({
        icon: Plus,
        title: 'New document',
        sub: project.name,
        run: open(`/projects/${project.id}/documents/new`),
      });
      if (session.flags['board.enabled'] !== false) {
        actions.push({
          icon: Plus,
          title: 'Add card',
          sub: project.name,
          run: open(`/projects/${project.id}/board/cards/new`),
        });
      }
    }
  }
  actions.push(
    { icon: Layers, title: 'All projects', run: open('/projects') },
    { icon: Plus, title: 'New project', run: open('/projects/new') },
    { icon: UserRound, title: 'Account', run: open('/account') },
    { icon: KeyRound, title: 'Security', sub: 'Account', run: open('/account/security') },
    { icon: Plug, title: 'Connected apps', sub: 'Account', run: open('/account/connected-apps') },
  );
  if (session.flags['exports.enabled'] !== false) {
    actions.push({ icon: Download, title: 'Your data', sub: 'Account', run: open('/account/data') });
  }
  if (session.person.isAdmin) {
    for (const each of ADMIN_SECTIONS) {
      if (each.flag && session.flags[each.flag] === false) continue;
      actions.push({ icon: each.icon, title: each.title, sub: 'Administration', run: open(each.to) });
    }
  }
  const leave = (to: string) => () => window.location.assign(to);
  actions.push(
    { icon: BookOpen, title: 'Guides', run: leave('/docs') },
    { icon: Info, title: 'About Loupe', run: leave('/about') },
  );
  const theme = (next: 'light' | 'dark' | 'system') => () => {
    setTheme(next);
    close();
  };
  actions.push(
    { icon: Sun, title: 'Light theme', run: theme('light') },
    { icon: Moon, title: 'Dark theme', run: theme('dark') },
    { icon: Monitor, title: 'Theme of the system', run: theme('system') },
    {
      icon: Keyboard,
      title: 'Show the keys',
      run: () => {
        close();
        showKeys();
      },
    },
  );
  return actions;
}
