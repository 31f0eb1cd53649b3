import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { Company } from '#src/identity/testing/company.js';
import { ClientSite } from '../support/agent.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  ADMIN,
  AppSignIn,
  addPerson,
  adminEnv,
  CLIENT_ID,
  callTool,
  mcp,
  newProject,
  refresh,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const WRONG_PASSWORD = 'four other words there';
const NEW_PASSWORD = 'seven quiet herons wade';
const OTHER_EMAIL = 'nobody.known@mail.example';
const EMPLOYEE = {
  sub: 'emp-of-the-secrets',
  email: 'carla.company@mail.example',
  email_verified: true,
  name: 'Carla Company',
};

/** A visitor that tells every cookie, form token and code it was given. */
class ListeningVisitor extends Visitor {
  constructor(
    origin: string,
    private readonly hear: (name: string, value: string) => void,
  ) {
    super(origin);
  }

  override async request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await super.request(path, init);
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string];
      if (value) this.hear(`cookie ${name}`, value);
      // A signed cookie is two values in one.
      for (const part of value.split('.')) if (part.length > 15) this.hear(`part of cookie ${name}`, part);
    }
    const kept = response.clone();
    if (kept.headers.get('content-type')?.startsWith('text/html')) {
      for (const [, token] of (await kept.text()).matchAll(/name="_csrf"[^>]*value="([^"]+)"/g)) {
        this.hear('form token', token!);
      }
    }
    return response;
  }
}

/** Everything secret that passes during sign-ins of people and apps, looked for where it must not be. */
describe('secrets stay secret', () => {
  let site: ClientSite;
  let catcher: MailCatcher;
  let company: Company;
  let server: LoupeServer;
  /** What must be found nowhere, by what it is. */
  const secrets = new Map<string, string>();
  const hear = (name: string, value: string) => void secrets.set(`${name} ${secrets.size}`, value);

  beforeAll(async () => {
    site = await ClientSite.start();
    catcher = await MailCatcher.start();
    const port = await freePort();
    company = await Company.start(`http://localhost:${port}`);
    server = await LoupeServer.start({
      port,
      env: {
        ...site.env,
        ...adminEnv,
        ...company.env(),
        MAILER_DSN: catcher.dsn,
        MAILER_FROM_ADDRESS: 'loupe@mail.example',
        LOG_LEVEL: 'trace',
      },
    });
    hear('password', ADMIN.password);
    hear('wrong password', WRONG_PASSWORD);
    const person = new ListeningVisitor(server.origin, hear);
    // Refusals first: a wrong password, an unknown address.
    await person.submit(await person.open('/login'), { email: ADMIN.email, password: WRONG_PASSWORD });
    await person.submit(await person.open('/login'), { email: OTHER_EMAIL, password: WRONG_PASSWORD });
    await person.submit(await person.open('/login?next=%2Faccount'), {
      email: ADMIN.email,
      password: ADMIN.password,
    });
    const projectId = await newProject(person, 'Secret things');
    const { body: session } = await person.api<{ csrfToken: string }>('GET', '/session');
    hear('CSRF token', session.csrfToken);
    // A sign-in by code, its refresh, its reuse.
    const signIn = new AppSignIn(person);
    await signIn.ask();
    await signIn.allow(projectId);
    hear('code', await signIn.wayBack());
    const first = await signIn.exchange();
    hear('access token', first.access_token);
    hear('refresh token', first.refresh_token);
    const { body: second } = await refresh(server.origin, first.refresh_token);
    hear('access token', second.access_token!);
    hear('refresh token', second.refresh_token!);
    await callTool(server.origin, second.access_token!, 'document_create', {
      title: 'Plan',
      markdown: '# Plan',
    });
    // Refusals at the doors: a bad token, one in the address, a code that was used, a wrong resource.
    const bad = 'a-token-that-nobody-gave-to-anybody-0123456';
    hear('bad token', bad);
    await mcp(server.origin, bad, 'tools/list');
    await fetch(`${server.origin}/mcp?access_token=${second.access_token}`, { method: 'POST' });
    await fetch(`${server.origin}/api/me?token=${second.access_token}`, {
      headers: { authorization: `Bearer ${bad}` },
    });
    await fetch(`${server.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: CLIENT_ID,
        refresh_token: second.refresh_token!,
        resource: 'https://other.example/mcp',
      }),
    });
    // A device, allowed and refused.
    const device = await DeviceClient.start(server.origin, 'build-mac');
    hear('user code', device.userCode);
    hear('user code as kept', device.userCode.replace('-', ''));
    await device.ask().then(({ body }) => expect(body.error).toBe('authorization_pending'));
    await person.submit(await person.open(device.verificationUriComplete), { answer: 'allow' });
    await signIn.exchange().catch(() => undefined);
    const tokens = await poll(device);
    hear('access token of a device', tokens.access_token);
    hear('refresh token of a device', tokens.refresh_token);
    await fetch(`${server.origin}/api/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    await fetch(`${server.origin}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'loupe-cli', token: tokens.refresh_token }),
    });
    // A second person, who signs out again.
    await addPerson(server, 'bea.second@mail.example', 'Bea Second');
    const other = await signedIn(server.origin, 'bea.second@mail.example');
    await other.api('GET', '/account');
    await throughLinks(person, projectId);
    await throughCompany();
    await throughExport(person);
  }, 180_000);

  /** An account made, proved and reset by links of mails, and an invitation into a project. */
  async function throughLinks(admin: Visitor, projectId: string): Promise<void> {
    const email = 'dora.new@mail.example';
    const dora = new ListeningVisitor(server.origin, hear);
    hear('new password', NEW_PASSWORD);
    await dora.submit(await dora.open('/register'), {
      email,
      displayName: 'Dora New',
      password: 'some other words first',
    });
    await dora.submit(await dora.open(await linkTo(email, 'verify-email')), {});
    const stranger = new ListeningVisitor(server.origin, hear);
    await stranger.submit(await stranger.open('/forgot-password'), { email });
    const link = await linkTo(email, 'reset-password');
    const done = await stranger.submit(await stranger.open(link), { password: NEW_PASSWORD });
    expect(done.status).toBe(303);
    // The same link again, which is gone.
    expect((await stranger.open(link)).response.status).toBe(404);
    const { body } = await admin.api<{ url: string }>('POST', `/projects/${projectId}/invitations`, {
      role: 'viewer',
      email,
    });
    const token = body.url.slice(body.url.lastIndexOf('/') + 1);
    hear('invitation', token);
    await new Visitor(server.origin).open(`/invitations/${token}`);
    await stranger.open(`/invitations/${token}`);
    expect((await stranger.api('POST', `/invitations/${token}/accept`, {})).status).toBe(200);
    await linkTo(email, 'invitations');
  }

  /** The link in a mail, whose secret is heard. */
  async function linkTo(email: string, page: string): Promise<string> {
    const links = () =>
      catcher
        .to(email)
        .filter(({ text }) => text?.includes(`/${page}`))
        .map(linkOf);
    await until(() => links().length > 0, 60_000, `No mail with a link to ${page} came.`);
    const [link] = links();
    hear(`link of ${page}`, new URL(link!, server.url).searchParams.get('token') ?? link!.split('/').at(-1)!);
    return link!;
  }

  async function throughCompany(): Promise<void> {
    company.employ(EMPLOYEE);
    const carla = new ListeningVisitor(server.origin, hear);
    const begin = await carla.request('/login/company');
    const back = await company.walk(begin.headers.get('location')!);
    const { searchParams } = new URL(back, server.url);
    for (const name of ['code', 'state']) hear(`${name} of the company`, searchParams.get(name)!);
    expect((await carla.request(back)).status).toBe(303);
    // A second use of the way back, and one in another browser.
    await carla.request(back);
    await new Visitor(server.origin).request(back);
  }

  async function throughExport(owner: Visitor): Promise<void> {
    expect((await owner.api('POST', '/account/exports', {})).status).toBe(202);
    let path: string | null = null;
    await until(async () => {
      const { body } = await owner.api<{ exports: { downloadPath: string | null }[] }>(
        'GET',
        '/account/exports',
      );
      path = body.exports[0]?.downloadPath ?? null;
      return path !== null;
    }, 60_000);
    hear('token of an export', new URL(path!, server.url).searchParams.get('token')!);
    expect((await owner.request(path!)).status).toBe(200);
    expect((await new Visitor(server.origin).request(path!)).status).toBe(401);
  }

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
    await company?.stop();
    await catcher?.stop();
  });

  /** One poll waits out the interval that the first question began. */
  async function poll(device: DeviceClient): Promise<{ access_token: string; refresh_token: string }> {
    await new Promise((done) => setTimeout(done, 5_100));
    return device.poll();
  }

  function found(text: string): string[] {
    return [...secrets].filter(([, value]) => text.includes(value)).map(([name]) => name);
  }

  it('has heard of each kind of secret', () => {
    const kinds = new Set([...secrets.keys()].map((name) => name.replace(/ \d+$/, '')));
    for (const kind of [
      ...['cookie loupe_session', 'form token', 'CSRF token', 'code', 'access token', 'new password'],
      ...['link of verify-email', 'link of reset-password', 'link of invitations', 'invitation'],
      ...['cookie loupe_company', 'code of the company', 'state of the company', 'token of an export'],
    ]) {
      expect([...kinds]).toContain(kind);
    }
    expect([...secrets.values()].every((value) => value.length >= 8)).toBe(true);
  });

  it('identity 12.30: a dump of the database holds no clear token, code, cookie or password', async () => {
    const tables = await sql<{ name: string }>(
      server,
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(25);
    const leaks: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await sql<{ line: string }>(server, `SELECT t::text AS line FROM ${name} t`);
      const text = rows.map(({ line }) => line).join('\n');
      const here = found(text);
      if (here.length > 0) leaks[name] = here;
    }
    expect(leaks).toEqual({});
  });

  it('identity 12.30: what is bytes in the database holds none either', async () => {
    const columns = await sql<{ table: string; column: string }>(
      server,
      `SELECT format('%I.%I', table_schema, table_name) AS "table", format('%I', column_name) AS "column"
         FROM information_schema.columns
        WHERE data_type = 'bytea' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { table, column } of columns) {
      const rows = await sql<{ bytes: Buffer | null }>(server, `SELECT ${column} AS bytes FROM ${table}`);
      expect(found(rows.map(({ bytes }) => bytes?.toString('latin1') ?? '').join('\n'))).toEqual([]);
    }
  });

  it('platform 19.29: logs of sign-in, consent, reset, company sign-in, export and refusals hold no token, code, cookie or e-mail', async () => {
    const { log } = server;
    expect(log).toContain('/oauth/token');
    for (const route of ['/login', '/reset-password', '/login/company/callback', '/invitations/:token'])
      expect(log).toContain(`"${route}"`);
    expect(log).toContain('/account/exports/:id/download');
    expect(found(log)).toEqual([]);
    expect(log.toLowerCase()).not.toContain(ADMIN.email);
    expect(log.toLowerCase()).not.toContain('@mail.example');
    const database = join(server.varDir, 'postgres', 'server.log');
    if (existsSync(database)) expect(found(readFileSync(database, 'utf8'))).toEqual([]);
  });

  it('writes logs as one JSON object a line, with the facts that they may hold', () => {
    const lines = server.log.split('\n').filter((line) => line.startsWith('{'));
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThan(20);
    for (const request of requests) {
      expect(Object.keys(request)).toEqual(
        expect.arrayContaining(['time', 'level', 'traceId', 'route', 'method', 'status', 'durationMs']),
      );
      expect(request.route).not.toMatch(/[?=]/);
    }
  });

  it('audit records of refused sign-ins name no address', async () => {
    const rows = await sql<{ line: string }>(
      server,
      `SELECT t::text AS line FROM platform.audit_events t WHERE operation = 'session.refused'`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { line } of rows) expect(line).not.toContain('@');
  });
});
