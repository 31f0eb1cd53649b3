import { TestDatabase } from '../../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

describe('/api/account', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let browser: PeopleBrowser;
  let csrf: string;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    people = await startPeopleApp(test.database);
    browser = new PeopleBrowser(people.app);
    await install(browser);
    csrf = await tokenOf(browser);
  });

  afterEach(() => people.app.close());

  const tokenOf = async (of: PeopleBrowser): Promise<string> =>
    formOf((await of.get('/logout')).text).hidden._csrf!;
  const send = (method: 'patch' | 'post' | 'put' | 'delete', path: string, body?: object, token = csrf) =>
    browser.agent[method](path).set('Loupe-Csrf-Token', token).set('X-Forwarded-For', browser.ip).send(body);

  it('changes name, timezone and settings, each alone', async () => {
    expect((await send('patch', '/api/account', { displayName: ' Ines M. ' })).body.displayName).toBe(
      'Ines M.',
    );
    expect((await send('patch', '/api/account', { timezone: 'Europe/Berlin' })).body.timezone).toBe(
      'Europe/Berlin',
    );
    await send('patch', '/api/account', { preferences: { shortcuts: false, theme: 'dark' } });
    const { body } = await send('patch', '/api/account', { preferences: { theme: null } });
    expect(body).toMatchObject({
      displayName: 'Ines M.',
      timezone: 'Europe/Berlin',
      preferences: { shortcuts: false },
    });
    expect(body.preferences).not.toHaveProperty('theme');
    expect(body).not.toHaveProperty('isAdmin');
  });

  it('names all wrong fields at once and changes nothing', async () => {
    const answer = await send('patch', '/api/account', {
      displayName: 'two\nlines',
      timezone: 'Mars/Olympus',
      preferences: { theme: { nested: true } },
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.fields)).toEqual(['displayName', 'timezone', 'preferences']);
    expect((await browser.get('/api/account')).body).toMatchObject({
      displayName: ADMIN.displayName,
      timezone: 'UTC',
      preferences: {},
    });
    expect((await send('patch', '/api/account', { email: 'x@example.com' })).body.fields).toHaveProperty(
      'email',
    );
  });

  it('identity 12.27: a write without the header token is 403 csrf and changes nothing', async () => {
    const answer = await browser.agent.patch('/api/account').send({ displayName: 'Mallory' });
    expect([answer.status, answer.body.error]).toEqual([403, 'csrf']);
    expect((await send('patch', '/api/account', { displayName: 'Mallory' }, 'wrong')).status).toBe(403);
    expect((await browser.get('/api/account')).body.displayName).toBe(ADMIN.displayName);
  });

  it('lists sessions with browser, address and the one in use, and ends one or all others', async () => {
    const laptop = new PeopleBrowser(people.app);
    laptop.ip = '198.51.100.4';
    await signIn(laptop);
    const phone = new PeopleBrowser(people.app);
    await signIn(phone);
    const { sessions } = (await browser.get('/api/account/sessions')).body;
    expect(sessions).toHaveLength(3);
    expect(sessions[0]).toMatchObject({ current: true, browser: 'Firefox on Linux', ip: '203.0.113.7' });
    expect(sessions.slice(1).map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
    const other = sessions.find(({ ip }: { ip: string }) => ip === '198.51.100.4');
    expect((await send('delete', `/api/account/sessions/${other.id}`)).status).toBe(204);
    expect((await laptop.get('/api/account')).status).toBe(401);
    expect((await send('delete', `/api/account/sessions/${other.id}`)).status).toBe(404);
    expect((await send('post', '/api/account/sessions/end-others')).status).toBe(204);
    expect((await phone.get('/api/account')).status).toBe(401);
    expect((await browser.get('/api/account/sessions')).body.sessions).toHaveLength(1);
    expect(people.outbox.events.filter(({ type }) => type === 'SessionsEnded')).toHaveLength(2);
    expect(people.live.sent.map(({ topic }) => topic)).toEqual([
      `me:${people.outbox.events[0]!.personId}`,
      `me:${people.outbox.events[0]!.personId}`,
    ]);
    people.audit.entries.length = 0;
    await send('post', '/api/account/sessions/end-others');
    expect(people.audit.entries).toEqual([]);
  });

  it('does not end the session of somebody else', async () => {
    await test.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
       VALUES ('0190aaaa-0000-7000-8000-000000000001', 'b@example.com', 'b@example.com', 'B', 'x', now(), now(), now())`,
    );
    await test.database.query(
      `INSERT INTO identity.web_sessions (id, person_id, expires_at, csrf_secret)
       VALUES (repeat('a', 64), '0190aaaa-0000-7000-8000-000000000001', now() + interval '1 day', 'x')`,
    );
    expect((await send('delete', `/api/account/sessions/${'a'.repeat(64)}`)).status).toBe(404);
    expect((await send('delete', '/api/account/sessions/%00')).status).toBe(404);
    expect(
      await test.database.query("SELECT 1 FROM identity.web_sessions WHERE id = repeat('a', 64)"),
    ).toHaveLength(1);
  });

  it('changes the password only after a recent proof, ends the other sessions and gives this one a new id', async () => {
    const other = new PeopleBrowser(people.app);
    await signIn(other);
    await test.database.query("UPDATE identity.web_sessions SET auth_time = now() - interval '11 minutes'");
    const password = 'another four unrelated words';
    const early = await send('put', '/api/account/password', { password });
    expect([early.status, early.body.error]).toEqual([403, 'confirm_first']);
    const wrong = await send('post', '/api/account/confirm', { password: 'not the password' });
    expect(wrong.body.fields).toEqual({ password: 'That is not your password.' });
    expect((await send('post', '/api/account/confirm', { password: ADMIN.password })).status).toBe(204);
    expect((await send('put', '/api/account/password', { password: ADMIN.email })).status).toBe(422);
    expect((await send('put', '/api/account/password', { password })).status).toBe(204);
    expect((await other.get('/api/account')).status).toBe(401);
    expect((await browser.get('/api/account')).status).toBe(200);
    expect(await tokenOf(browser)).not.toBe(csrf);
    const again = new PeopleBrowser(people.app);
    expect((await signIn(again)).status).toBe(422);
    expect((await signIn(again, { ...ADMIN, password })).status).toBe(303);
    expect(people.outbox.events.map(({ type }) => type)).toContain('PasswordChanged');
  });

  it('counts wrong proofs like failed sign-ins', async () => {
    for (let failure = 0; failure < 10; failure += 1)
      await send('post', '/api/account/confirm', { password: 'no' });
    const answer = await send('post', '/api/account/confirm', { password: ADMIN.password });
    expect([answer.status, answer.body.error]).toEqual([429, 'rate_limited']);
    expect(answer.headers['retry-after']).toBe(String(answer.body.retryAfter));
  });
});
