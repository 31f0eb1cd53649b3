import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { LoupeApp } from '../support/loupe-app.js';
import { ROUTES } from './access-levels.js';
import { accessPage } from './access-table.js';
import { DOORS } from './page-levels.js';

interface Layer {
  readonly name: string;
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/**
 * What stands before the router and answers by itself, with the doors of each. Something new here is a new door: give
 * it rows in `page-levels.ts`, then add it.
 */
const BEFORE_ROUTES: readonly (readonly [layer: string, what: string])[] = [
  ['<anonymous>', 'the framework'],
  ['<anonymous>', 'the log of requests; answers nothing'],
  ['handle', '/artifact-preview/…, /live/… and the hosts of previews'],
  ['compression', '/assets'],
  ['serveStatic', '/assets'],
  ['handle', '/mcp'],
  ['handle', '/oauth/authorize, token, revoke, device-authorization, jwks'],
  ['compression', '/api/projects, /docs'],
  ['jsonParser', '/api'],
];

/** Every door that the running server has, as its own router tells them. */
describe('the rows of the access matrix', () => {
  let app: LoupeApp;
  let layers: Layer[];

  beforeAll(async () => {
    app = await LoupeApp.start();
    layers = (app.server.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router.stack;
  }, 60_000);
  afterAll(() => app?.stop());

  it('there is one for every route of the router, and none without a route', () => {
    const routes = layers.flatMap(({ route }) => {
      if (!route) return [];
      const methods = Object.keys(route.methods).filter((method) => method !== 'head');
      const named = methods.length > 8 ? ['ALL'] : methods.map((method) => method.toUpperCase());
      return named.map((method) => `${method} ${route.path}`);
    });
    expect(routes.length).toBeGreaterThan(200);
    const known = new Set([
      ...Object.keys(ROUTES).map((route) => route.replace(/\{(\w+)\}/g, ':$1')),
      ...DOORS.flatMap((door) => door.routes),
    ]);
    const withoutRow = routes.filter((route) => !known.has(route));
    expect(withoutRow).toEqual([]);
    expect([...known].filter((route) => !routes.includes(route))).toEqual([]);
  });

  it('what stands before the router is known too', () => {
    const first = layers.findIndex(({ name }) => name === 'handler');
    expect(layers.slice(0, first).map(({ name }) => name)).toEqual(BEFORE_ROUTES.map(([name]) => name));
    // Nothing but the middleware of modules and the end of the framework stands among and behind the routes.
    const others = layers.slice(first).filter(({ route }) => !route);
    expect(new Set(others.map(({ name }) => name))).toEqual(new Set(['handler', '<anonymous>']));
  });

  it('docs/access.md shows them as they are', () => {
    const path = join(applicationRoot, 'docs/access.md');
    const page = accessPage();
    if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, page);
    expect(readFileSync(path, 'utf8')).toBe(page);
  });
});
