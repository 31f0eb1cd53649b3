import { TestDatabase } from '../../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const TOBI = { email: 'tobi@example.com', displayName: 'Tobi Ahlers' };
const PASSWORD = 'seven quiet herons wade';

describe('/api/admin/people', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let admin: PeopleBrowser;
  let csrf: string;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    people = await startPeopleApp(test.database);
    admin = new PeopleBrowser(people.app);
    await install(admin);
    csrf = formOf((await admin.get('/logout')).text).hidden._csrf!;
    people.audit.entries.length = 0;
  });

  afterEach(() => people.app.close());

  const send = (method: 'post' | 'delete', path: string, body: object = {}) =>
    admin.agent[method](`/api/admin/${path}`).set('Loupe-Csrf-Token', csrf).send(body);
  const ownId = async (): Promise<string> => (await admin.get('/api/account')).body.id;
  const pathOf = (link: string): string => {
    const url = new URL(link);
    return `${url.pathname}${url.search}`;
  };
  /** Tobi's account and browser, signed in. */
  const tobi = async (): Promise<{ id: string; browser: PeopleBrowser }> => {
    const { id, link } = (await send('post', 'people', TOBI)).body;
    const browser = new PeopleBrowser(people.app);
    await browser.fill(pathOf(link), { password: PASSWORD });
    return { id, browser };
  };
  const operations = () => people.audit.entries.map(({ operation }) => operation);

  it('identity 2.2: makes a verified account whose owner chooses the password by a copied link', async () => {
    people.mailer.isOn = false;
    const made = await send('post', 'people', { ...TOBI, send: true });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id: expect.any(String), sent: false });
    expect(made.body.link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/);
    expect((await signIn(new PeopleBrowser(people.app), { ...TOBI, password: '' })).status).toBe(422);
    const browser = new PeopleBrowser(people.app);
    expect((await browser.get(pathOf(made.body.link))).text).toContain('Choose your password');
    const opened = await browser.fill(pathOf(made.body.link), { password: PASSWORD });
    expect([opened.status, opened.headers.location]).toEqual([303, '/welcome']);
    expect((await browser.get('/api/account')).body.email).toBe(TOBI.email);
    const again = await send('post', 'people', { ...TOBI, email: 'TOBI@example.com' });
    expect([again.status, again.body.error]).toEqual([409, 'taken']);
    expect(Object.keys((await send('post', 'people', { email: 'x', displayName: '' })).body.fields)).toEqual([
      'email',
      'displayName',
    ]);
  });

  it('sends the link where mail is on, and an invitation by mail leads to an account', async () => {
    const made = await send('post', 'people', { ...TOBI, send: true });
    expect(made.body.sent).toBe(true);
    expect(people.mailer.linkTo(TOBI.email)).toBe(pathOf(made.body.link));
    const invited = await send('post', 'invites', { email: 'mira@example.com', send: true });
    expect([invited.status, invited.body.sent]).toEqual([201, true]);
    const days = (new Date(invited.body.expiresAt).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const browser = new PeopleBrowser(people.app);
    const answer = await browser.fill(people.mailer.linkTo('mira@example.com'), {
      displayName: 'Mira',
      password: PASSWORD,
    });
    expect(answer.status).toBe(303);
    expect((await send('post', 'invites', { email: TOBI.email })).body.error).toBe('taken');
    expect(operations()).toEqual(expect.arrayContaining(['person.registered', 'person.invited']));
    expect(JSON.stringify(people.audit.entries)).not.toContain('mira@example.com');
  });

  it('platform 6: lists people newest first, by part of a name or address, by state, in pages', async () => {
    await test.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, suspended_at, created_at, updated_at)
       SELECT gen_random_uuid(), 'p' || n || '@example.com', 'p' || n || '@example.com', 'Person ' || n || ' 100%', 'x',
              CASE WHEN n % 10 <> 0 THEN now() END, CASE WHEN n % 10 = 1 THEN now() END, now() + n * interval '1 second', now()
         FROM generate_series(1, 120) n`,
    );
    const list = async (query: string) => (await admin.get(`/api/admin/people?${query}`)).body;
    const first = await list('');
    expect([first.total, first.people.length, first.hasMore, first.people[0].displayName]).toEqual([
      121,
      50,
      true,
      'Person 120 100%',
    ]);
    expect((await list('page=3')).people).toHaveLength(21);
    expect((await list('q=P12@')).people.map(({ email }: { email: string }) => email)).toEqual([
      'p12@example.com',
    ]);
    expect((await list('q=100%25')).total).toBe(120);
    expect((await list('q=__')).total).toBe(0);
    expect((await list('state=suspended')).total).toBe(12);
    expect((await list('state=unverified')).total).toBe(12);
    expect((await list('state=admin')).people).toHaveLength(1);
    expect((await admin.get('/api/admin/people?state=gone')).status).toBe(422);
  });

  it('shows sessions and connections of a person and ends them', async () => {
    const { id, browser } = await tobi();
    await test.database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, audience, created_at, expires_at)
       VALUES ('0190bbbb-0000-7000-8000-000000000001', $1, 'loupe-cli', 'Loupe CLI', '{agent}', 'x', now(), now() + interval '1 day')`,
      [id],
    );
    const { body } = await admin.get(`/api/admin/people/${id}`);
    expect(body).toMatchObject({ ...TOBI, state: 'active', isAdmin: false, projects: 0, hasPassword: true });
    expect([body.sessions.length, body.connections.length]).toEqual([1, 1]);
    expect(body.sessions[0].browser).toBe('Firefox on Linux');
    expect((await send('delete', `sessions/${body.sessions[0].id}`)).status).toBe(204);
    expect((await browser.get('/api/account')).status).toBe(401);
    expect((await send('delete', `sessions/${body.sessions[0].id}`)).status).toBe(404);
    expect((await send('delete', `connections/${body.connections[0].id}`)).status).toBe(204);
    expect((await send('delete', `connections/${body.connections[0].id}`)).status).toBe(404);
    expect((await send('delete', 'connections/nonsense')).status).toBe(404);
    expect(operations()).toEqual(expect.arrayContaining(['session.ended', 'connection.revoked']));
  });

  it('identity 12.25: suspends with a reason at once and reinstates', async () => {
    const { id, browser } = await tobi();
    const suspended = await send('post', `people/${id}/suspend`, { reason: 'Left the company' });
    expect(suspended.body).toMatchObject({
      state: 'suspended',
      suspendedReason: 'Left the company',
      sessions: [],
    });
    expect((await browser.get('/api/account')).status).toBe(401);
    expect((await send('post', `people/${id}/reset-link`)).body.error).toBe('suspended');
    expect((await send('post', `people/${id}/reinstate`)).body.state).toBe('active');
    expect((await signIn(browser, { ...TOBI, password: PASSWORD })).status).toBe(303);
  });

  it('verifies an account that waits for it', async () => {
    people.flagsOn.add('registration.enabled');
    await new PeopleBrowser(people.app).fill('/register', { ...TOBI, password: PASSWORD });
    const [{ id }] = (await admin.get('/api/admin/people?state=unverified')).body.people;
    expect((await send('post', `people/${id}/verify`)).body.state).toBe('active');
    expect((await signIn(new PeopleBrowser(people.app), { ...TOBI, password: PASSWORD })).status).toBe(303);
  });

  it('promotes and demotes after a recent proof; sessions of the person end, for rights change', async () => {
    const { id, browser } = await tobi();
    await test.database.query("UPDATE identity.web_sessions SET auth_time = now() - interval '11 minutes'");
    for (const act of ['promote', 'demote', 'delete', 'reset-link']) {
      const refused = await send('post', `people/${id}/${act}`);
      expect([act, refused.status, refused.body.error]).toEqual([act, 403, 'confirm_first']);
    }
    await admin.agent
      .post('/api/account/confirm')
      .set('Loupe-Csrf-Token', csrf)
      .send({ password: ADMIN.password });
    expect((await send('post', `people/${id}/promote`)).body.isAdmin).toBe(true);
    expect((await browser.get('/api/account')).status).toBe(401);
    await signIn(browser, { ...TOBI, password: PASSWORD });
    expect((await browser.get('/api/admin/people')).status).toBe(200);
    expect((await send('post', `people/${id}/demote`)).body.isAdmin).toBe(false);
    await signIn(browser, { ...TOBI, password: PASSWORD });
    expect((await browser.get('/api/admin/people')).status).toBe(404);
    expect(operations()).toEqual(expect.arrayContaining(['person.promoted', 'person.demoted']));
  });

  it('identity 12.26: the last admin cannot demote, suspend or delete themself', async () => {
    const id = await ownId();
    for (const [act, error] of [
      ['demote', 'last_admin'],
      ['suspend', 'last_admin'],
      ['delete', 'yourself'],
    ]) {
      const refused = await send('post', `people/${id}/${act}`);
      expect([act, refused.status, refused.body.error]).toEqual([act, 409, error]);
    }
    expect((await admin.get('/api/admin/people')).status).toBe(200);
  });

  it.each(['demote', 'suspend', 'delete'])(
    'identity 12.26: of two admins who %s each other at once, one stays',
    async (act) => {
      const { id, browser } = await tobi();
      await send('post', `people/${id}/promote`);
      await signIn(browser, { ...TOBI, password: PASSWORD });
      const theirs = formOf((await browser.get('/logout')).text).hidden._csrf!;
      const own = await ownId();
      await Promise.all([
        send('post', `people/${id}/${act}`),
        browser.agent.post(`/api/admin/people/${own}/${act}`).set('Loupe-Csrf-Token', theirs).send({}),
      ]);
      const admins = await test.database.query(
        `SELECT 1 FROM identity.persons
        WHERE is_admin AND suspended_at IS NULL AND deletion_requested_at IS NULL`,
      );
      expect(admins).toHaveLength(1);
    },
  );

  it('deletes an account, with the admin as the actor of the record', async () => {
    const { id, browser } = await tobi();
    people.audit.entries.length = 0;
    expect((await send('post', `people/${id}/delete`)).status).toBe(202);
    expect((await browser.get('/api/account')).status).toBe(401);
    expect((await admin.get(`/api/admin/people/${id}`)).status).toBe(404);
    expect(people.audit.entries).toMatchObject([
      { operation: 'person.deleted', subjectId: id, actor: { kind: 'person', personId: await ownId() } },
    ]);
    expect((await send('post', 'people', TOBI)).status).toBe(201);
  });

  it('gives a link for a new password; the old password holds until it is used', async () => {
    const { id } = await tobi();
    const { body } = await send('post', `people/${id}/reset-link`);
    expect((await signIn(new PeopleBrowser(people.app), { ...TOBI, password: PASSWORD })).status).toBe(303);
    const browser = new PeopleBrowser(people.app);
    const set = await browser.fill(pathOf(body.link), { password: 'a password of the link' });
    expect(set.status).toBe(303);
    expect((await signIn(new PeopleBrowser(people.app), { ...TOBI, password: PASSWORD })).status).toBe(422);
  });

  it('does not exist for others, and unknown people are 404', async () => {
    const { browser } = await tobi();
    const theirs = formOf((await browser.get('/logout')).text).hidden._csrf!;
    expect((await browser.get('/api/admin/people')).status).toBe(404);
    const answer = await browser.agent.post('/api/admin/people').set('Loupe-Csrf-Token', theirs).send(TOBI);
    expect(answer.status).toBe(404);
    for (const id of ['nonsense', '0190aaaa-0000-7000-8000-000000000009']) {
      expect((await admin.get(`/api/admin/people/${id}`)).status).toBe(404);
      expect((await send('post', `people/${id}/suspend`)).status).toBe(404);
    }
  });
});
