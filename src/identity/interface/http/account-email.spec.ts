import { TestDatabase } from '../../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const NEXT = 'ines@new.example.com';

describe('the address of an account, and its end', () => {
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
    csrf = formOf((await browser.get('/logout')).text).hidden._csrf!;
    people.audit.entries.length = 0;
    people.outbox.events.length = 0;
  });

  afterEach(() => people.app.close());

  const post = (path: string, body: object) =>
    browser.agent.post(`/api/account/${path}`).set('Loupe-Csrf-Token', csrf).send(body);
  const longAgo = () =>
    test.database.query("UPDATE identity.web_sessions SET auth_time = now() - interval '11 minutes'");
  const another = (email: string, isAdmin = false) =>
    test.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, is_admin, created_at, updated_at)
       VALUES ('0190aaaa-0000-7000-8000-000000000001', $1, lower($1), 'Another', 'x', now(), $2, now(), now())`,
      [email, isAdmin],
    );

  it('identity 4.5: a new address holds once its link is opened; the old one is told', async () => {
    expect((await post('email', { email: NEXT })).status).toBe(202);
    expect((await browser.get('/api/account')).body).toMatchObject({
      email: ADMIN.email,
      pendingEmail: NEXT,
    });
    expect(people.mailer.lastTo(ADMIN.email).subject).toContain('about to change');
    const link = people.mailer.linkTo(NEXT);
    // The link is opened on another machine, where nobody is signed in.
    const phone = new PeopleBrowser(people.app);
    expect((await phone.get(link)).text).toContain(NEXT);
    expect((await phone.fill(link, {})).text).toContain('The new address holds');
    expect((await browser.get('/api/account')).body).toMatchObject({ email: NEXT, pendingEmail: null });
    expect((await signIn(new PeopleBrowser(people.app), { ...ADMIN, email: NEXT })).status).toBe(303);
    expect((await signIn(new PeopleBrowser(people.app))).status).toBe(422);
    expect((await phone.get(link)).status).toBe(404);
    expect(people.audit.entries.map(({ operation }) => operation)).toContain('person.email_changed');
  });

  it('a change of the address that somebody else began ends when the owner takes a new password', async () => {
    const takeOver = async (): Promise<string> => {
      await test.database.query('TRUNCATE platform.rate_limits');
      expect((await post('email', { email: NEXT })).status).toBe(202);
      return people.mailer.linkTo(NEXT);
    };
    const gone = async (link: string) => {
      expect((await new PeopleBrowser(people.app).get(link)).status).toBe(404);
      expect(
        (await new PeopleBrowser(people.app).fill('/login', { email: NEXT, password: 'x' })).status,
      ).toBe(422);
    };
    const first = await takeOver();
    const owner = new PeopleBrowser(people.app);
    await owner.fill('/forgot-password', { email: ADMIN.email });
    const NEW = 'another four words here';
    expect((await owner.fill(people.mailer.linkTo(ADMIN.email), { password: NEW })).status).toBe(303);
    await gone(first);
    expect((await owner.get('/api/account')).body).toMatchObject({ email: ADMIN.email, pendingEmail: null });

    browser = owner;
    csrf = formOf((await browser.get('/logout')).text).hidden._csrf!;
    const second = await takeOver();
    const changed = await browser.agent
      .put('/api/account/password')
      .set('Loupe-Csrf-Token', csrf)
      .send({ password: 'yet another four words' });
    expect(changed.status).toBe(204);
    await gone(second);
  });

  it('links for a password that went to the old address end with it', async () => {
    const { id } = (await browser.get('/api/account')).body;
    const made = await browser.agent
      .post(`/api/admin/people/${id}/reset-link`)
      .set('Loupe-Csrf-Token', csrf)
      .send({});
    expect(made.status).toBeLessThan(300);
    await post('email', { email: NEXT });
    await new PeopleBrowser(people.app).fill(people.mailer.linkTo(NEXT), {});
    expect(
      (await new PeopleBrowser(people.app).get(new URL(made.body.link).href.replace(/^https?:\/\/[^/]+/, '')))
        .status,
    ).toBe(404);
  });

  it('asks for the password first when the last proof is old', async () => {
    await longAgo();
    const refused = await post('email', { email: NEXT });
    expect([refused.status, refused.body.error]).toEqual([403, 'confirm_first']);
    expect((await post('confirm', { password: ADMIN.password })).status).toBe(204);
    expect((await post('email', { email: NEXT })).status).toBe(202);
  });

  it('does not tell that somebody has an address: the answer is the same, the owner is told, nothing changes', async () => {
    await another('taken@example.com');
    expect((await post('email', { email: 'TAKEN@example.com' })).status).toBe(202);
    expect((await browser.get('/api/account')).body.pendingEmail).toBe('TAKEN@example.com');
    expect(people.mailer.lastTo('taken@example.com').subject).toContain('You have an account');
    expect(people.mailer.sent.some(({ action }) => action?.url.includes('confirm-email'))).toBe(false);
  });

  it('the address goes to whoever is faster', async () => {
    await post('email', { email: NEXT });
    await another(NEXT);
    const answer = await new PeopleBrowser(people.app).fill(people.mailer.linkTo(NEXT), {});
    expect([answer.status, answer.text.includes('Somebody has an account')]).toEqual([409, true]);
    expect((await browser.get('/api/account')).body.email).toBe(ADMIN.email);
  });

  it('refuses what is no address, the own one, and any while mail is off', async () => {
    expect((await post('email', { email: 'nonsense' })).body.fields).toHaveProperty('email');
    expect((await post('email', { email: ADMIN.email.toUpperCase() })).body.fields).toHaveProperty('email');
    people.mailer.isOn = false;
    const off = await post('email', { email: NEXT });
    expect([off.status, off.body.error]).toEqual([409, 'mail_off']);
  });

  it('identity 12.26: the last admin cannot delete the account', async () => {
    const answer = await post('delete', { email: ADMIN.email });
    expect([answer.status, answer.body.error]).toEqual([409, 'last_admin']);
    expect((await browser.get('/api/account')).status).toBe(200);
  });

  it('identity 12.29: deleting an account ends sessions and connections at once, frees the address, and purges the rest', async () => {
    await another('admin@example.com', true);
    const laptop = new PeopleBrowser(people.app);
    await signIn(laptop);
    const { id } = (await browser.get('/api/account')).body;
    await test.database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, audience, created_at, expires_at)
       VALUES ('0190bbbb-0000-7000-8000-000000000001', $1, 'loupe-cli', 'Loupe CLI', '{agent}', 'x', now(), now() + interval '1 day')`,
      [id],
    );
    await longAgo();
    expect((await post('delete', { email: ADMIN.email })).body.error).toBe('confirm_first');
    await post('confirm', { password: ADMIN.password });
    expect((await post('delete', { email: 'another@example.com' })).body.fields).toHaveProperty('email');
    people.audit.entries.length = 0;
    const answer = await post('delete', { email: ` ${ADMIN.email.toUpperCase()} ` });
    expect([answer.status, answer.headers['clear-site-data']]).toEqual([202, '"storage"']);
    expect((await browser.get('/api/account')).status).toBe(401);
    expect((await laptop.get('/api/account')).status).toBe(401);
    expect(people.outbox.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['PersonDeleted', 'ConnectionRevoked', 'SessionsEnded']),
    );
    // What is written here stays in the log, so it names nobody.
    expect(people.audit.entries.map(({ operation, actor }) => [operation, actor.kind])).toEqual([
      ['connection.revoked', 'system'],
      ['person.deleted', 'system'],
    ]);
    expect(people.signals.sent.at(-1)).toMatchObject({ channel: 'access', personId: id, cause: 'deleted' });
    expect(people.mailer.lastTo(ADMIN.email).subject).toContain('Your account is deleted');
    const row = await test.database.one<{ email: string }>(
      'SELECT email FROM identity.persons WHERE id = $1',
      [id],
    );
    expect(row!.email).toBe(`${id}@deleted.invalid`);

    await people.jobs.runAll();
    await people.jobs.runAll();
    expect(people.auditRecords.forgotten).toEqual([id]);
    expect(await test.database.one('SELECT 1 FROM identity.persons WHERE id = $1', [id])).toBeNull();
    expect(
      await test.database.one('SELECT 1 FROM identity.connections WHERE person_id = $1', [id]),
    ).toBeNull();
  });
});
