import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { RememberLastProject } from '../../application/commands/remember-last-project.js';
import { SuspendPerson } from '../../application/commands/suspend-person.js';
import { PasswordHasher } from '../../application/ports/password-hasher.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const CONSOLE = { kind: 'console', osUser: 'ops' } as const;

describe('sign-in and sign-out', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let browser: PeopleBrowser;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    people = await startPeopleApp(test.database);
    await install(new PeopleBrowser(people.app));
    people.audit.entries.length = 0;
    browser = new PeopleBrowser(people.app);
  });

  afterEach(() => people.app.close());

  const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
    /loupe_session=([^;]*)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
  const personId = async (): Promise<string> =>
    (await test.database.one<{ id: string }>('SELECT id FROM identity.persons'))!.id;
  const sessionIds = async (): Promise<string[]> =>
    (await test.database.query<{ id: string }>('SELECT id FROM identity.web_sessions')).map(({ id }) => id);

  it('signs in whatever the capitals of the address, and opens the page that was asked for', async () => {
    const answer = await signIn(browser, { ...ADMIN, email: 'INES.marlow@EXAMPLE.com' }, '/account?tab=1');
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?tab=1']);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/loupe_session=[\w-]{43}; Max-Age=\d+; Path=\/; .*HttpOnly; SameSite=Lax/);
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual(['session.started']);
  });

  it('uses a __Host- cookie with Secure when DEFAULT_URI is https', async () => {
    await people.app.close();
    people = await startPeopleApp(test.database, { DEFAULT_URI: 'https://loupe.example.com' });
    const secure = new PeopleBrowser(people.app);
    const page = await secure.agent.get('/login').set('X-Forwarded-Proto', 'https');
    expect(String(page.headers['set-cookie'])).toMatch(/^__Host-loupe_form=.*; Path=\/; HttpOnly; Secure/);
    const { hidden } = formOf(page.text);
    const answer = await secure.agent
      .post('/login')
      .set('X-Forwarded-Proto', 'https')
      .set('Cookie', String(page.headers['set-cookie']).split(';')[0]!)
      .type('form')
      .send({ ...hidden, ...ADMIN });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /__Host-loupe_session=[\w-]{43};.* HttpOnly; Secure; SameSite=Lax/,
    );
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%0a/../..//evil.example',
    'javascript:alert(1)',
  ])('never leads away by next=%s', async (next) => {
    const answer = await signIn(browser, ADMIN, next);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^\/(?![/\\])/);
    expect(new URL(String(answer.headers.location), 'http://localhost:3000').host).toBe('localhost:3000');
  });

  it('opens the last project, else the first, else the wizard', async () => {
    const id = await personId();
    expect((await signIn(browser)).headers.location).toBe('/welcome');
    people.access.add('p-a', id, {}, 'Alpha').add('p-b', id, {}, 'Beta');
    expect((await signIn(new PeopleBrowser(people.app))).headers.location).toBe('/projects/p-a');
    const person = { kind: 'person', personId: id, sessionId: 's', isAdmin: true } as const;
    const last = '0190aaaa-0000-7000-8000-00000000000b';
    people.access.add(last, id, {}, 'Gamma');
    await people.app.get(RememberLastProject).execute(person, { projectId: last });
    expect((await signIn(new PeopleBrowser(people.app))).headers.location).toBe(`/projects/${last}`);
    people.access.delete(last);
    expect((await signIn(new PeopleBrowser(people.app))).headers.location).toBe('/projects/p-a');
  });

  it('gives unknown addresses and wrong passwords the same page, and the audit log no address', async () => {
    const wrong = await signIn(browser, { ...ADMIN, password: 'not the password' });
    const unknown = await signIn(new PeopleBrowser(people.app), { ...ADMIN, email: 'nobody@example.com' });
    const page = (text: string): string =>
      text.replace(/value="[^"]*"/g, '').replace(/nobody@example.com|Ines.Marlow@example.com/g, '');
    expect([wrong.status, unknown.status]).toEqual([422, 422]);
    expect(page(unknown.text)).toBe(page(wrong.text));
    expect(wrong.text).toContain(`value="${ADMIN.email}"`);
    expect(wrong.text).not.toContain('not the password');
    expect(people.audit.entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['session.refused', 'refused'],
      ['session.refused', 'refused'],
    ]);
    expect(JSON.stringify(people.audit.entries)).not.toMatch(/example\.com/i);
  });

  it.each(['\0', 'a\0@b.co', 'x'.repeat(10_000), '🐎', "' OR 1=1 --"])(
    'takes %j for an unknown address',
    async (email) => {
      expect((await signIn(browser, { email, password: ADMIN.password })).status).toBe(422);
    },
  );

  it('does the work of a password check for unknown addresses too, so that the time tells nothing', async () => {
    const hasher = people.app.get(PasswordHasher);
    const checks = [jest.spyOn(hasher, 'matches'), jest.spyOn(hasher, 'matchesNobody')] as const;
    await signIn(browser, { ...ADMIN, password: 'not the password' });
    expect(checks.map((check) => check.mock.calls.length)).toEqual([1, 0]);
    await signIn(browser, { email: 'nobody@example.com', password: 'not the password' });
    expect(checks.map((check) => check.mock.calls.length)).toEqual([2, 1]);
    for (const check of checks) check.mockRestore();
  });

  it('says that an account is suspended only after the right password', async () => {
    await test.database.query("UPDATE identity.persons SET suspended_at = now(), suspended_reason = 'x'");
    const wrong = await signIn(browser, { ...ADMIN, password: 'not the password' });
    expect(wrong.text).not.toContain('suspended');
    const right = await signIn(browser);
    expect(right.status).toBe(403);
    expect(right.text).toContain('This account is suspended');
    expect(await sessionIds()).toHaveLength(1);
  });

  it('suspending ends every session at once and tells open streams', async () => {
    await signIn(browser);
    await test.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, is_admin, created_at, updated_at)
       VALUES ('0190aaaa-0000-7000-8000-000000000001', 'b@example.com', 'b@example.com', 'B', 'x', now(), true, now(), now())`,
    );
    const id = (await browser.get('/api/account')).body.id;
    await people.app.get(SuspendPerson).execute(CONSOLE, { personId: id });
    expect((await browser.get('/api/account')).status).toBe(401);
    expect(people.signals.sent).toContainEqual({
      channel: 'access',
      personId: id,
      sessionId: null,
      cause: 'suspended',
    });
    expect(people.outbox.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['PersonSuspended', 'SessionsEnded']),
    );
  });

  it('refuses the last active admin to be suspended', async () => {
    await expect(
      people.app.get(SuspendPerson).execute(CONSOLE, { personId: await personId() }),
    ).rejects.toMatchObject({ code: 'last_admin' });
  });

  it('refuses after 10 failures of an e-mail and address, the right password too, and leaves other addresses alone', async () => {
    for (let failure = 0; failure < 10; failure += 1) {
      expect((await signIn(browser, { ...ADMIN, password: `guess number ${failure}` })).status).toBe(422);
    }
    const right = await signIn(browser);
    expect(right.status).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect(right.text).toContain('Too many wrong passwords. Try again in');
    const elsewhere = new PeopleBrowser(people.app);
    elsewhere.ip = '198.51.100.4';
    expect((await signIn(elsewhere)).status).toBe(303);
  });

  it('accepts no guess beyond the limit when all are sent at once', async () => {
    const { hidden } = formOf((await browser.get('/login')).text);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        browser.post('/login', {
          ...hidden,
          email: ADMIN.email,
          password: index === 23 ? ADMIN.password : `guess ${index}`,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toEqual([]);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(14);
  });

  it('refuses an address after 50 failures over many e-mails', async () => {
    await test.database.query(
      `INSERT INTO platform.rate_limits (name, key, window_number, hits, expires_at)
       SELECT 'login.address', '203.0.113.7', floor(extract(epoch FROM clock_timestamp()) / 900), 50, now() + interval '1 hour'`,
    );
    expect((await signIn(browser)).status).toBe(429);
  });

  it('hashes anew at sign-in when the parameters have changed', async () => {
    const old = await hash(ADMIN.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await test.database.query('UPDATE identity.persons SET password_hash = $1', [old]);
    expect((await signIn(browser)).status).toBe(303);
    const row = await test.database.one<{ password_hash: string }>(
      'SELECT password_hash FROM identity.persons',
    );
    expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(new PeopleBrowser(people.app))).status).toBe(303);
  });

  it('gives a new id at each sign-in and ends the one before', async () => {
    const first = cookieOf(await signIn(browser));
    const page = await browser.get('/logout');
    const { hidden } = formOf(page.text);
    const second = cookieOf(await browser.post('/login', { ...hidden, ...ADMIN }));
    expect(second).not.toBe(first);
    expect(await sessionIds()).not.toContain(createHash('sha256').update(first).digest('hex'));
  });

  it('ignores a session cookie that somebody planted', async () => {
    const planted = 'A'.repeat(43);
    const page = await browser.agent.get('/login').set('Cookie', `loupe_session=${planted}`);
    expect(page.status).toBe(200);
    const cookie = cookieOf(await signIn(browser));
    expect(cookie).not.toBe(planted);
  });

  it('identity 12.27: a POST without a token, with a foreign one or from another site is 403 and changes nothing', async () => {
    const other = new PeopleBrowser(people.app);
    const foreign = formOf((await other.get('/login')).text).hidden;
    await browser.get('/login');
    const own = formOf((await browser.get('/login')).text).hidden;
    const crossSite = await browser.agent
      .post('/login')
      .set('Origin', 'https://evil.example')
      .type('form')
      .send({ ...own, ...ADMIN });
    const answers = [
      await browser.post('/login', { ...ADMIN }),
      await browser.post('/login', { ...ADMIN, ...foreign }),
      crossSite,
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This form was out of date');
      expect(answer.text).toContain(`value="${ADMIN.email}"`);
      expect(cookieOf(answer)).toBe('');
    }
    expect(await sessionIds()).toHaveLength(1);
    await signIn(browser);
    expect((await browser.post('/logout', {})).status).toBe(403);
    expect((await browser.get('/api/account')).status).toBe(200);
  });

  it('signs out: the session is gone, drafts are cleared, open streams are told', async () => {
    await signIn(browser);
    const ask = await browser.get('/logout?next=/account');
    expect(ask.text).toContain('Sign out of this browser?');
    const { action, hidden } = formOf(ask.text);
    const answer = await browser.post(action, hidden);
    expect([answer.status, answer.headers.location]).toEqual([303, '/login?next=%2Faccount']);
    expect(answer.headers['clear-site-data']).toBe('"storage"');
    expect((await browser.get('/api/account')).status).toBe(401);
    expect(await sessionIds()).toHaveLength(1);
    expect(people.signals.sent).toMatchObject([{ channel: 'access', cause: 'logout' }]);
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual([
      'session.started',
      'session.ended',
    ]);
    expect((await browser.get('/logout')).headers.location).toBe('/login');
  });

  it('identity 12.30: the database holds no cookie, no form token and no password', async () => {
    const cookie = cookieOf(await signIn(browser));
    const { hidden } = formOf((await browser.get('/logout')).text);
    const rows = await test.database.query<{ dump: string }>(
      `SELECT row_to_json(p)::text AS dump FROM identity.persons p
       UNION ALL SELECT row_to_json(s)::text FROM identity.web_sessions s`,
    );
    const dump = rows.map((row) => row.dump).join('\n');
    expect(dump).toContain(createHash('sha256').update(cookie).digest('hex'));
    for (const secret of [cookie, hidden._csrf!, ADMIN.password]) expect(dump).not.toContain(secret);
  });

  it('identity 12.31: pages hold no script of their own and no style attribute, and their policy allows neither', async () => {
    await browser.get('/logout');
    for (const path of ['/login', '/register']) {
      const page = await browser.get(path);
      expect(page.text).not.toMatch(/<script(?! src="\/assets\/theme\.js">)|style=|\son\w+=/);
    }
    const page = await browser.get('/login');
    const policy = page.headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(page.headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(page.headers['cache-control']).toBe('no-store');
  });
});
