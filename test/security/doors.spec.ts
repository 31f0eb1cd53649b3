import { LoupeApp } from '../support/loupe-app.js';
import { adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { Visitor } from '../support/visitor.js';

/** What holds at every door of the server, whatever the spelling of an address. */
describe('the doors of the server', () => {
  let app: LoupeApp;
  let addresses = 0;

  beforeAll(async () => {
    app = await LoupeApp.start({ env: adminEnv });
  }, 60_000);
  afterAll(() => app.stop());

  /** Each test comes from an address of its own, so that no limit of another counts. */
  const from = () => {
    addresses += 1;
    return { 'x-forwarded-for': `203.0.113.${addresses}` };
  };

  it('identity 8: requests to /api and /mcp of one address are counted together', async () => {
    await app.db.database.query(
      `INSERT INTO platform.flag_values (name, value, updated_at) VALUES ('rate_limit.api_per_minute', '30', now())`,
    );
    const headers = from();
    const api = () => fetch(`${app.url}/api/me`, { headers });
    const mcp = () => fetch(`${app.url}/mcp`, { method: 'POST', headers });
    // A change that no process announced is seen within 5 s.
    const end = Date.now() + 30_000;
    let statuses: number[] = [];
    do {
      statuses = [];
      // Neither door alone comes to 30.
      for (let n = 0; n < 20; n += 1) statuses.push((await api()).status, (await mcp()).status);
      Object.assign(headers, from());
    } while (!statuses.includes(429) && Date.now() < end);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
    expect(statuses.slice(-2)).toEqual([429, 429]);
    await app.db.database.query('DELETE FROM platform.flag_values');
  }, 60_000);

  it('an address has one spelling: no door is reached past the limits and checks of its path', async () => {
    const ada = await app.person();
    const browser = await app.signIn(ada.personId);
    for (const path of ['/api/account', '/api/session', '/admin/feature-flags', '/projects']) {
      const other = path.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      expect([other, (await browser('GET', other)).status]).toEqual([other, 404]);
    }
    expect((await browser('GET', '/api/session')).status).toBe(200);
    expect((await fetch(`${app.url}/MCP`, { method: 'POST', headers: from() })).status).toBe(404);
    expect((await fetch(`${app.url}/OAuth/token`, { method: 'POST', headers: from() })).status).toBe(404);
  });

  it('identity 12.1: the challenge names a document, which names the resource and where to sign in', async () => {
    const refused = await fetch(`${app.url}/mcp`, { method: 'POST', headers: from() });
    expect(refused.status).toBe(401);
    const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
    const document = await fetch(named);
    expect([document.status, document.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const { resource, authorization_servers } = (await document.json()) as Record<string, unknown>;
    expect([resource, authorization_servers]).toEqual([`${app.url}/mcp`, [app.url]]);
    const server = await fetch(`${app.url}/.well-known/oauth-authorization-server`);
    expect(await server.json()).toMatchObject({ issuer: app.url });
  });

  it('what no text may hold is refused at every door, and is a fault at none', async () => {
    const admin = await signedIn(app.url);
    await liftRateLimit(admin);
    const projectId = await newProject(admin, 'Odd texts');
    const project = `/api/projects/${projectId}`;
    const stranger = new Visitor(app.url);
    const faults: string[] = [];
    const note = async (what: string, answer: Promise<{ status: number }>) => {
      const { status } = await answer;
      if (status >= 500) faults.push(`${what} ${status}`);
    };
    // NUL, half of a pair, a broken escape, and an address that looks like another one.
    for (const odd of [
      '%00',
      'a%00b',
      '%ED%A0%80',
      '%E0%A4%A',
      '%FF',
      '..%2F..%2Fetc',
      '%0d%0aSet-Cookie:x=1',
    ]) {
      for (const path of [
        `/login?next=/${odd}`,
        `/register?invite=${odd}&next=/invitations/${odd}`,
        `/verify-email?token=${odd}`,
        `/reset-password?token=${odd}`,
        `/confirm-email?token=${odd}`,
        `/oauth/authorize?client_id=${odd}&state=${odd}`,
        `/oauth/authorize?client_id=loupe-site-review-widget&project=${odd}&origin=${odd}&response_type=code`,
        `/oauth/authorize/${odd}`,
        `/oauth/consent/${odd}?q=${odd}`,
        `/oauth/device?user_code=${odd}`,
        `/invitations/${odd}`,
        `/projects/${odd}`,
        `/account/exports/${odd}/download?token=${odd}`,
        `/artifacts/${odd}/preview?version=${odd}`,
        `/artifact-preview/${odd}/${odd}`,
        `/live/${odd}/`,
        `/git/${odd}.git/info/refs?service=${odd}`,
        `/cli/${odd}`,
        `/schemas/typed-artifacts/${odd}.json`,
        `/setup.md?project=${odd}`,
        `/api/invitations/${odd}`,
        `/api/live?topics=project:${odd}`,
        `/api/projects/${odd}`,
        `${project}/members/${odd}`,
        `${project}/documents?q=${odd}&tag=${odd}&cursor=${odd}`,
        `${project}/documents/${odd}`,
        `${project}/board/cards/suggest?q=${odd}`,
        `${project}/board/tiles?columnId=${odd}`,
        `${project}/artifacts?q=${odd}&cursor=${odd}`,
        `/api/admin/people?q=${odd}&state=${odd}`,
        `/api/admin/people/${odd}`,
        ...['actor', 'operation', 'project', 'subject', 'cursor', 'from'].map(
          (filter) => `/api/admin/audit?${filter}=${odd}`,
        ),
        `/api/admin/projects?q=${odd}`,
        `/api/admin/jobs?tab=${odd}`,
      ]) {
        await note(path, admin.request(path));
        await note(`nobody ${path}`, stranger.request(path));
      }
      for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/device-authorization'])
        await note(
          path,
          fetch(`${app.url}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: `client_id=loupe-cli&grant_type=refresh_token&refresh_token=${odd}&token=${odd}&code=${odd}&scope=${odd}&resource=${odd}&device_name=${odd}`,
          }),
        );
    }
    for (const odd of ['\0', 'a\0b', '\ud800', '\u202e', 'x'.repeat(100_000)]) {
      const login = await stranger.open('/login');
      await note(
        'POST /login',
        stranger.submit(login, { email: `${odd}@mail.example`, password: odd, next: odd }),
      );
      for (const [method, path, body] of [
        ['PATCH', '/account', { displayName: odd, timezone: odd, preferences: { [odd]: odd } }],
        ['POST', '/account/email', { email: `${odd}@mail.example` }],
        ['PUT', '/account/password', { password: odd }],
        ['POST', '/account/confirm', { password: odd }],
        ['POST', '/account/connections/revoke', { clientId: odd, label: odd, projectId: odd }],
        ['POST', '/admin/people', { email: `${odd}@mail.example`, displayName: odd }],
        ['POST', '/admin/invites', { email: `${odd}@mail.example` }],
        ['PUT', `/admin/flags/${encodeURIComponent('exports.enabled')}`, { value: odd }],
        ['POST', '/admin/apps/block', { clientId: odd }],
        ['POST', '/admin/apps/block', { clientId: `https://apps.example/${odd}` }],
        ['POST', '/admin/jobs/retry', { queue: odd }],
        ['POST', `/admin/projects/${projectId}/transfer`, { newOwnerEmail: odd }],
        ['POST', '/projects', { name: odd, description: odd, searchLanguage: odd, templateKey: odd }],
        ['PATCH', `/projects/${projectId}`, { name: odd, domain: odd, version: 1 }],
        ['PUT', `/projects/${projectId}/origins`, { origins: [odd, `https://${odd}.example`], version: 1 }],
        ['POST', `/projects/${projectId}/invitations`, { role: odd, email: `${odd}@mail.example` }],
        ['POST', `/projects/${projectId}/transfer`, { personId: odd }],
        ['POST', `/projects/${projectId}/delete`, { typedName: odd }],
      ] as const)
        await note(`${method} ${path} ${JSON.stringify(odd).slice(0, 20)}`, admin.api(method, path, body));
    }
    expect(faults).toEqual([]);
  }, 120_000);
});
