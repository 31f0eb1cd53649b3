import { createBrowserRouter, type RouteObject } from 'react-router';
import { HomePage } from '../pages/home-page';
import { NotFoundPage } from '../pages/not-found-page';
import { ProjectLayout } from '../shell/project-layout';
import { RouteError } from '../shell/route-error';
import { Shell } from '../shell/shell';

/** The module of a page gives it as `default`; its code is fetched when the page is first opened. */
function page(path: string, load: () => Promise<{ default: React.ComponentType }>): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) };
}

const projectPages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('../pages/project/workshop-page')).default }),
  },
  page('documents/*', () => import('../documents/pages')),
  page('connect', () => import('../pages/project/connect-page')),
  page('settings', () => import('../pages/project/settings-page')),
  page('settings/site-review', () => import('../pages/project/site-review-page')),
  { path: '*', Component: NotFoundPage },
];

const adminPages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('../pages/admin/overview-page')).default }) },
  page('status', () => import('../pages/admin/status-page')),
  page('feature-flags', () => import('../pages/admin/feature-flags-page')),
  page('audit-log', () => import('../pages/admin/audit-log-page')),
  page('jobs', () => import('../pages/admin/jobs-page')),
  { path: '*', Component: NotFoundPage },
];

export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: RouteError,
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          { index: true, Component: HomePage },
          page('projects', () => import('../pages/projects-page')),
          page('projects/new', () => import('../pages/new-project-page')),
          { path: 'projects/:projectId', Component: ProjectLayout, children: projectPages },
          page('welcome', () => import('../pages/welcome/welcome-page')),
          page('welcome/connect', () => import('../pages/welcome/welcome-connect-page')),
          page('welcome/done', () => import('../pages/welcome/welcome-done-page')),
          page('account', () => import('../pages/account/account-page')),
          page('account/security', () => import('../pages/account/security-page')),
          page('account/connected-apps', () => import('../pages/account/connected-apps-page')),
          {
            path: 'admin',
            lazy: async () => ({ Component: (await import('../shell/admin-layout')).default }),
            children: adminPages,
          },
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]);
