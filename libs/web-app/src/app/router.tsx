import { type ComponentType, lazy } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { HomePage } from '../pages/home-page';
import { NotFoundPage } from '../pages/not-found-page';
import { SectionPage } from '../pages/project/section-page';
import { ProjectLayout } from '../shell/project-layout';
import { RouteError } from '../shell/route-error';
import { Shell } from '../shell/shell';

type Load = () => Promise<{ default: ComponentType }>;

/** The module of a page gives it as `default`. Its code comes when the page is first opened, beside its data. */
function page(path: string, load: Load): RouteObject {
  return { path, Component: lazy(load), handle: { preload: load } };
}

function index(load: Load): RouteObject {
  return { index: true, Component: lazy(load), handle: { preload: load } };
}

const projectPages: RouteObject[] = [
  index(() => import('../pages/project/workshop-page')),
  page('documents/*', () => import('../documents/pages')),
  page('board/*', () => import('../board/pages')),
  page('artifacts/*', () => import('../artifacts/pages')),
  page('backlog', () => import('../board/pages').then((pages) => ({ default: pages.BacklogAddress }))),
  page('cards/:number', () => import('../board/pages').then((pages) => ({ default: pages.NumberedCard }))),
  page('settings/board', () => import('../board/pages').then((pages) => ({ default: pages.BoardSettings }))),
  page('settings/workflow', () => import('../workflow/workflow-page')),
  page('settings/automation', () => import('../workflow/automation-page')),
  page('connect', () => import('../pages/project/connect-page')),
  page('settings', () => import('../pages/project/settings-page')),
  page('settings/members', () => import('../pages/project/members-page')),
  page('settings/site-review', () => import('../pages/project/site-review-page')),
  { path: '*', Component: SectionPage },
];

const adminPages: RouteObject[] = [
  index(() => import('../pages/admin/overview-page')),
  page('status', () => import('../pages/admin/status-page')),
  page('feature-flags', () => import('../pages/admin/feature-flags-page')),
  page('people', () => import('../pages/admin/people-page')),
  page('people/:personId', () => import('../pages/admin/person-page')),
  page('projects', () => import('../pages/admin/projects-page')),
  page('apps', () => import('../pages/admin/apps-page')),
  page('audit-log', () => import('../pages/admin/audit-log-page')),
  page('jobs', () => import('../pages/admin/jobs-page')),
  page('artifacts', () => import('../pages/admin/artifacts-page')),
  { path: '*', Component: NotFoundPage },
];

const pages: RouteObject[] = [
  { index: true, Component: HomePage },
  page('projects', () => import('../pages/projects-page')),
  page('projects/new', () => import('../pages/new-project-page')),
  { path: 'projects/:projectId', Component: ProjectLayout, children: projectPages },
  page('search', () => import('../search/search-page')),
  page('invitations/:token', () => import('../pages/invitation-page')),
  page('welcome', () => import('../pages/welcome/welcome-page')),
  page('welcome/connect', () => import('../pages/welcome/welcome-connect-page')),
  page('welcome/done', () => import('../pages/welcome/welcome-done-page')),
  page('account', () => import('../pages/account/account-page')),
  page('account/security', () => import('../pages/account/security-page')),
  page('account/connected-apps', () => import('../pages/account/connected-apps-page')),
  page('account/data', () => import('../pages/account/data-page')),
  page('account/delete', () => import('../pages/account/delete-page')),
  {
    path: 'admin',
    Component: lazy(() => import('../shell/admin-layout')),
    children: adminPages,
  },
  { path: '*', Component: NotFoundPage },
];

export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: RouteError,
    // A page that fails leaves the shell standing.
    children: [{ ErrorBoundary: RouteError, children: pages }],
  },
]);
