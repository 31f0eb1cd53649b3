import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type SearchPage, SearchProviders } from '#src/platform/application/ports/search-providers.js';

const board = { of: 'project', flags: ['board.enabled'] } as const;
const ofProject = { of: 'project' } as const;

/** Pages of this release that are found by name. Who adds a page for people adds a line. */
export const PAGE_NAMES: readonly SearchPage[] = [
  { ...ofProject, title: 'Workshop', path: '', also: 'home overview' },
  { ...ofProject, title: 'Documents', path: '/documents', also: 'plans designs reviews' },
  { ...ofProject, title: 'New document', path: '/documents/new', level: 'contribute', also: 'write' },
  { ...board, title: 'Board', path: '/board', also: 'cards columns kanban' },
  { ...board, title: 'Backlog', path: '/board/backlog', also: 'cards' },
  { ...board, title: 'Add card', path: '/board/cards/new', level: 'contribute', also: 'new' },
  {
    ...ofProject,
    title: 'Artifacts',
    path: '/artifacts',
    flags: ['artifacts.enabled'],
    also: 'prototypes apps library',
  },
  {
    ...ofProject,
    title: 'Charts',
    path: '/artifacts/charts',
    flags: ['artifacts.enabled', 'artifacts.typed.enabled'],
    also: 'tables figures',
  },
  { ...ofProject, title: 'Connect', path: '/connect', also: 'agent mcp install' },
  { ...ofProject, title: 'Members', path: '/settings/members', also: 'people team invite roles' },
  {
    ...ofProject,
    title: 'Project settings',
    path: '/settings',
    level: 'administer',
    also: 'name language delete',
  },
  { ...board, title: 'Board settings', path: '/settings/board', level: 'administer', also: 'columns' },
  { ...board, title: 'Workflow', path: '/settings/workflow', also: 'rules slots template' },
  { ...board, title: 'Automation', path: '/settings/automation', also: 'rules switch' },
  { ...ofProject, title: 'Site review', path: '/settings/site-review', also: 'origins widget' },
  { of: 'person', title: 'All projects', path: '/projects' },
  { of: 'person', title: 'New project', path: '/projects/new', also: 'create' },
  { of: 'person', title: 'Account', path: '/account', also: 'profile name time zone' },
  { of: 'person', title: 'Security', path: '/account/security', also: 'password e-mail sessions' },
  { of: 'person', title: 'Connected apps', path: '/account/connected-apps', also: 'agents connections' },
  {
    of: 'person',
    title: 'Your data',
    path: '/account/data',
    flags: ['exports.enabled'],
    also: 'export download',
  },
  { of: 'instance', title: 'Administration', path: '/admin', also: 'admin overview' },
  { of: 'instance', title: 'Status', path: '/admin/status', also: 'admin health' },
  { of: 'instance', title: 'Feature flags', path: '/admin/feature-flags', also: 'admin switches' },
  { of: 'instance', title: 'People', path: '/admin/people', also: 'admin persons accounts' },
  { of: 'instance', title: 'Projects of everybody', path: '/admin/projects', also: 'admin' },
  { of: 'instance', title: 'Apps', path: '/admin/apps', also: 'admin clients' },
  { of: 'instance', title: 'Audit log', path: '/admin/audit-log', also: 'admin records' },
  { of: 'instance', title: 'Jobs', path: '/admin/jobs', also: 'admin queues' },
  {
    of: 'instance',
    title: 'Artifacts of everybody',
    path: '/admin/artifacts',
    flags: ['artifacts.enabled'],
    also: 'admin',
  },
];

/** Tells the search what pages there are. */
@Injectable()
export class PageNames implements OnModuleInit {
  constructor(private readonly providers: SearchProviders) {}

  onModuleInit(): void {
    this.providers.registerPages(PAGE_NAMES);
  }
}
