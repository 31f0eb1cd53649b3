import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { until } from '../../../../test/support/until.js';
import { LogIn } from '../../application/commands/log-in.js';
import { SuspendPerson } from '../../application/commands/suspend-person.js';
import { VISITOR } from '../../application/visitor.js';
import { Company } from '../../testing/company.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const TOBI = { sub: 'emp-17', email: 'tobi@acme.example', email_verified: true, name: 'Tobi Ahlers' };
const CONSOLE = { kind: 'console', osUser: 'ops' } as const;

describe('company sign-in', () => {
  let test: TestDatabase;
  let company: Company;
  let people: PeopleApp;
  let browser: PeopleBrowser;

  const start = async (more: Record<string, string> = {}): Promise<void> => {
    await people?.app.close();
    people = await startPeopleApp(test.database, company.env(more));
    people.flagsOn.add('registration.enabled');
    browser = new PeopleBrowser(people.app);
  };
  /** Signs in through the company; gives the answer of the way back. */
  const through = async (who = browser, path = '/login/company') => {
    const begin = await who.get(path);
    expect(begin.status).toBe(303);
    return who.get(await company.walk(String(begin.headers.location)));
  };
  const person = (email: string) =>
    test.database.one<{ id: string; admin: boolean; verified: boolean; password: string; name: string }>(
      `SELECT id, is_admin AS admin, email_verified_at IS NOT NULL AS verified, password_hash AS password,
              display_name AS name FROM identity.persons WHERE email_lower = $1`,
      [email],
    );

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    company = await Company.start();
    await start();
    await install(new PeopleBrowser(people.app));
    people.audit.entries.length = 0;
  });

  afterEach(async () => {
    await people.app.close();
    await company.stop();
  });

  it('goes by code flow with PKCE, state and nonce, makes a verified account and opens the page that was asked for', async () => {
    company.employ(TOBI);
    expect((await browser.get('/login?next=/account')).text).toContain(
      'href="/login/company?next=%2Faccount"',
    );
    const answer = await through(browser, '/login/company?next=%2Faccount');
    expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
    const { searchParams } = company.asked.find(({ pathname }) => pathname === '/auth')!;
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile groups',
      redirect_uri: 'http://localhost:3000/login/company/callback',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    expect((await browser.get('/api/account')).body).toMatchObject({
      email: TOBI.email,
      displayName: TOBI.name,
    });
    expect(await person(TOBI.email)).toMatchObject({ verified: true, admin: false, password: '' });
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual([
      'person.registered',
      'session.started',
    ]);
    // Who has no password signs in by none.
    expect((await signIn(new PeopleBrowser(people.app), { email: TOBI.email, password: '' })).status).toBe(
      422,
    );
  });

  it('waits for no issuer that redirects elsewhere or answers without an end', async () => {
    let elsewhere = 0;
    let sent = 0;
    let cut = false;
    const answers: RequestListener[] = [
      (request, response) => {
        if (request.url === '/elsewhere') elsewhere += 1;
        response.writeHead(302, { location: '/elsewhere' }).end();
      },
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"issuer":"');
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const more = () => {
          if (cut) return;
          sent += chunk.length;
          if (response.write(chunk)) setImmediate(more);
          else response.once('drain', more);
        };
        request.on('close', () => {
          cut = true;
        });
        more();
      },
    ];
    for (const listener of answers) {
      const issuer = createServer(listener);
      await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
      const { port } = issuer.address() as AddressInfo;
      await start({ OIDC_ISSUER: `http://127.0.0.1:${port}` });
      expect((await browser.get('/login/company')).status).toBe(503);
      if (listener === answers[1]) await until(() => cut);
      issuer.closeAllConnections();
      issuer.close();
    }
    expect(elsewhere).toBe(0);
    // What lies in buffers on the way counts too.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('knows whoever came before by the subject of the issuer, whatever their address is now', async () => {
    company.employ(TOBI);
    await through();
    company.employ({ ...TOBI, email: 'tobi.ahlers@acme.example' });
    const phone = new PeopleBrowser(people.app);
    await through(phone);
    expect((await phone.get('/api/account')).body.email).toBe(TOBI.email);
    expect(await test.database.query('SELECT 1 FROM identity.persons')).toHaveLength(2);
  });

  it('joins the account of the same address only when the issuer says that it is verified', async () => {
    company.employ({ ...TOBI, email: ADMIN.email, email_verified: false });
    const refused = await through();
    expect([
      refused.status,
      refused.text.includes('does not say that your e-mail address is verified'),
    ]).toEqual([403, true]);
    company.employ({ ...TOBI, email: ADMIN.email.toUpperCase() });
    expect((await through()).status).toBe(303);
    expect((await browser.get('/api/account')).body).toMatchObject({ displayName: ADMIN.displayName });
    expect((await signIn(new PeopleBrowser(people.app))).status).toBe(303);
    expect(await test.database.query('SELECT 1 FROM identity.persons')).toHaveLength(1);
  });

  it('takes the password of an account that nobody had proved, and its links', async () => {
    const other = new PeopleBrowser(people.app);
    const password = 'chosen by somebody else';
    await other.fill('/register', { email: TOBI.email, displayName: 'Mallory', password });
    company.employ(TOBI);
    expect((await through()).status).toBe(303);
    expect(await person(TOBI.email)).toMatchObject({ verified: true, password: '' });
    expect((await signIn(other, { email: TOBI.email, password })).status).toBe(422);
    expect((await other.get(people.mailer.linkTo(TOBI.email))).status).toBe(404);
  });

  it('does not give the account of somebody who left to whoever has the address now', async () => {
    company.employ(TOBI);
    await through();
    company.employ({ ...TOBI, sub: 'emp-99' });
    const answer = await through(new PeopleBrowser(people.app));
    expect([answer.status, answer.text.includes('somebody else')]).toEqual([403, true]);
  });

  it('lets in addresses of the allowed domains alone', async () => {
    await start({ OIDC_ALLOWED_DOMAINS: 'Acme.example, other.example' });
    company.employ(TOBI);
    expect((await through()).status).toBe(303);
    for (const email of ['x@sub.acme.example', 'x@evilacme.example', 'x@acme.example.evil.example']) {
      company.employ({ ...TOBI, sub: email, email });
      const answer = await through(new PeopleBrowser(people.app));
      expect([email, answer.status]).toEqual([email, 403]);
      expect(await person(email)).toBeNull();
    }
  });

  it('makes administrators of a group, takes only that away again, and never the last one', async () => {
    await start({ OIDC_ADMIN_GROUP: 'loupe-admins' });
    company.employ({ ...TOBI, groups: ['staff', 'loupe-admins'] });
    await through();
    expect((await browser.get('/api/admin/people')).status).toBe(200);
    company.employ({ ...TOBI, groups: ['staff'] });
    const phone = new PeopleBrowser(people.app);
    await through(phone);
    expect((await phone.get('/api/admin/people')).status).toBe(404);
    // The session that carried more has ended.
    expect((await browser.get('/api/account')).status).toBe(401);
    // Whoever was made an administrator here stays one.
    company.employ({ ...TOBI, sub: 'ines', email: ADMIN.email });
    await through();
    expect((await browser.get('/api/admin/people')).status).toBe(200);
    // The last one stays, also when the group is gone.
    company.employ({ ...TOBI, groups: 'loupe-admins' });
    await through(phone);
    await test.database.query(
      "UPDATE identity.persons SET is_admin = false WHERE email_lower <> 'tobi@acme.example'",
    );
    company.employ(TOBI);
    await through(phone);
    expect((await phone.get('/api/admin/people')).status).toBe(200);
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['person.promoted', 'person.demoted']),
    );
  });

  it('keeps suspended people out', async () => {
    company.employ(TOBI);
    await through();
    await people.app.get(SuspendPerson).execute(CONSOLE, { personId: (await person(TOBI.email))!.id });
    const answer = await through();
    expect([answer.status, answer.text.includes('suspended')]).toEqual([403, true]);
    expect((await browser.get('/api/account')).status).toBe(401);
  });

  it('a way back without its beginning, with another state or used before signs nobody in', async () => {
    company.employ(TOBI);
    const begin = await browser.get('/login/company');
    const back = await company.walk(String(begin.headers.location));
    const stranger = new PeopleBrowser(people.app);
    const stolen = await stranger.get(back);
    expect([stolen.status, stolen.text.includes('begun in another browser')]).toEqual([403, true]);
    await stranger.get('/login/company');
    expect((await stranger.get(back)).status).toBe(403);
    expect((await browser.get(back.replace(/code=[^&]+/, 'code=made-up'))).status).toBe(403);
    expect((await browser.get(back)).status).toBe(403);
    expect(await person(TOBI.email)).toBeNull();
    for (const session of [browser, stranger]) expect((await session.get('/api/account')).status).toBe(401);
  });

  it('says so when the person refuses there, and when the issuer does not answer', async () => {
    company.refuses = true;
    const cancelled = await through();
    expect([cancelled.status, cancelled.text.includes('was cancelled')]).toEqual([403, true]);
    await start();
    const status = () => people.app.get(StatusChecks).report(null);
    expect(await status()).toMatchObject([{ name: 'Company sign-in', state: 'ok' }]);
    await company.away();
    expect(await status()).toMatchObject([
      { state: 'failed', sentence: expect.stringContaining('Check OIDC_ISSUER') },
    ]);
    const away = await browser.get('/login/company');
    expect([away.status, away.headers['retry-after'], away.text.includes('does not answer')]).toEqual([
      503,
      '10',
      true,
    ]);
    expect((await browser.get('/login')).status).toBe(200);
  });

  it('signing out ends the session there too', async () => {
    company.employ(TOBI);
    await through();
    const answer = await browser.fill('/logout', {});
    expect(answer.status).toBe(200);
    const address = new URL(/0; url=(.*)/.exec(String(answer.headers.refresh))![1]!);
    expect(`${address.origin}${address.pathname}`).toBe(`${company.issuer}/session/end`);
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:3000/login');
    expect(address.searchParams.get('id_token_hint')!.split('.')).toHaveLength(3);
    expect(await company.walk(address.href)).toContain('/session/end');
    expect((await browser.get('/api/account')).status).toBe(401);
    // A session by password ends here alone.
    await signIn(browser);
    expect((await browser.fill('/logout', {})).headers.location).toBe('/login');
  });

  it('identity 12.30: the database holds no clear token of the issuer', async () => {
    company.employ(TOBI);
    await through();
    const rows = await test.database.query('SELECT row_to_json(s)::text AS row FROM identity.web_sessions s');
    expect(JSON.stringify(rows)).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  it('asks the issuer anew where recent proof is needed and there is no password', async () => {
    company.employ(TOBI);
    await through();
    const csrf = formOf((await browser.get('/logout')).text).hidden._csrf!;
    await test.database.query("UPDATE identity.web_sessions SET auth_time = now() - interval '11 minutes'");
    const send = (path: string, body: object) =>
      browser.agent.post(`/api/account/${path}`).set('Loupe-Csrf-Token', csrf).send(body);
    expect((await send('delete', { email: TOBI.email })).body.error).toBe('confirm_first');
    const answer = await send('confirm', { password: 'anything' });
    expect([answer.status, answer.body.error]).toEqual([403, 'confirm_by_company']);
    const begin = new URL(String((await browser.get('/login/company?again')).headers.location));
    expect([begin.searchParams.get('prompt'), begin.searchParams.get('max_age')]).toEqual(['login', '0']);
  });

  it('OIDC_PASSWORD_LOGIN=off leaves one way in, for everybody', async () => {
    await start({ OIDC_PASSWORD_LOGIN: 'off' });
    const page = await browser.get('/login');
    expect([page.text.includes('name="password"'), page.text.includes('/login/company')]).toEqual([
      false,
      true,
    ]);
    const other = await new PeopleBrowser(people.app).get('/install?step=account');
    expect(other.status).toBe(404);
    const logIn = people.app
      .get(LogIn)
      .execute(VISITOR, { ...ADMIN, browser: { ip: null, userAgent: null } });
    await expect(logIn).rejects.toMatchObject({ code: 'password_login_off' });
    expect((await browser.get('/forgot-password')).status).toBe(403);
    expect((await browser.get('/reset-password?token=x')).status).toBe(403);
    expect((await browser.get('/register')).text).toContain('sign in through their company');
    expect((await browser.post('/register', {})).status).toBe(403);
    company.employ({ ...TOBI, email: ADMIN.email });
    expect((await through()).status).toBe(303);
  });

  it('does not exist while no issuer is set', async () => {
    await people.app.close();
    people = await startPeopleApp(test.database);
    browser = new PeopleBrowser(people.app);
    expect((await browser.get('/login/company')).status).toBe(404);
    expect((await browser.get('/login/company/callback?code=x')).status).toBe(403);
    expect((await browser.get('/login')).text).not.toContain('/login/company');
  });

  it('makes nobody while the instance is full or not installed', async () => {
    people.flagValues.set('registration.max_people', 1);
    company.employ(TOBI);
    const full = await through();
    expect([full.status, full.text.includes('as many people as it may have')]).toEqual([403, true]);
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await start();
    expect((await through()).status).toBe(503);
    expect(await person(TOBI.email)).toBeNull();
  });
});
