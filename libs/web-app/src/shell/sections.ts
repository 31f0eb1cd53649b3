import {
  Activity,
  AppWindow,
  FileText,
  Flag,
  Gauge,
  House,
  Layers,
  ListTree,
  type LucideIcon,
  Plug,
  RefreshCw,
  SlidersHorizontal,
  SquareKanban,
  Users,
} from 'lucide-react';
import type { Project } from '../api/types';
import { mayAdminister } from '../app/session';

export interface Section {
  readonly title: string;
  readonly icon: LucideIcon;
  /** Below `/projects/{id}`; empty is the Workshop. */
  readonly path: string;
  /** Shown only while this flag is on. */
  readonly flag?: string;
  readonly count?: (project: Pick<Project, 'counts'>) => { readonly n: number; readonly what: string };
  readonly may?: (role: Project['role']) => boolean;
  /** Second key after `g`. */
  readonly key?: string;
}

/** The sections of a project. A context that gets pages adds a line here. */
export const SECTIONS: readonly Section[] = [
  { title: 'Workshop', icon: House, path: '', key: 'w' },
  {
    title: 'Documents',
    icon: FileText,
    path: '/documents',
    key: 'd',
    count: (project) => ({ n: project.counts.documentsToReview ?? 0, what: 'need review' }),
  },
  { title: 'Board', icon: SquareKanban, path: '/board', flag: 'board.enabled', key: 'b' },
  { title: 'Artifacts', icon: AppWindow, path: '/artifacts', flag: 'artifacts.enabled', key: 'a' },
];

export const PROJECT_END: readonly Section[] = [
  { title: 'Connect', icon: Plug, path: '/connect', key: 'c' },
  { title: 'Members', icon: Users, path: '/settings/members', may: (role) => !mayAdminister(role) },
  { title: 'Project settings', icon: SlidersHorizontal, path: '/settings', may: mayAdminister, key: 's' },
];

export const ADMIN_SECTIONS: readonly { title: string; icon: LucideIcon; to: string; flag?: string }[] = [
  { title: 'Overview', icon: Gauge, to: '/admin' },
  { title: 'Status', icon: Activity, to: '/admin/status' },
  { title: 'Feature flags', icon: Flag, to: '/admin/feature-flags' },
  { title: 'People', icon: Users, to: '/admin/people' },
  { title: 'Projects', icon: Layers, to: '/admin/projects' },
  { title: 'Apps', icon: Plug, to: '/admin/apps' },
  { title: 'Audit log', icon: ListTree, to: '/admin/audit-log' },
  { title: 'Jobs', icon: RefreshCw, to: '/admin/jobs' },
  { title: 'Artifacts', icon: AppWindow, to: '/admin/artifacts', flag: 'artifacts.enabled' },
];
