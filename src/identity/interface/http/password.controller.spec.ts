import { TestDatabase } from '../../../../test/support/test-database.js';
import { SuspendPerson } from '../../application/commands/suspend-person.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const NEW = 'another four words here';
const CONSOLE = { kind: 'console', osUser: 'ops' } as const;

describe('password reset', () => {
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

  const ask = (email = ADMIN.email, from = browser) => from.fill('/forgot-password', { email });

  it('identity 12.24: a reset link works once, ends other sessions, and the second use says that it no longer works', async () => {
    const laptop = new PeopleBrowser(people.app);
    await signIn(laptop);
    await ask();
    const link = people.mailer.linkTo(ADMIN.email);
    const form = formOf((await browser.get(link)).text);
    const answer = await browser.post(form.action, { ...form.hidden, password: NEW });
    expect([answer.status, answer.headers.location]).toEqual([303, '/account/connected-apps?after=reset']);
    expect((await browser.get('/api/account')).status).toBe(200);
    expect((await laptop.get('/api/account')).status).toBe(401);
    expect((await signIn(new PeopleBrowser(people.app))).status).toBe(422);
    expect((await signIn(new PeopleBrowser(people.app), { ...ADMIN, password: NEW })).status).toBe(303);
    expect(people.mailer.lastTo(ADMIN.email).subject).toContain('Your password was changed');
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['person.password_reset_requested', 'person.password_reset']),
    );

    const second = new PeopleBrowser(people.app);
    const gone = await second.get(link);
    expect([
      gone.status,
      gone.text.includes('This link no longer works'),
      gone.text.includes('/forgot-password'),
    ]).toEqual([404, true, true]);
    const late = formOf((await second.get('/login')).text);
    expect(
      (
        await second.post('/reset-password', {
          ...late.hidden,
          ...form.hidden,
          _csrf: late.hidden._csrf!,
          password: NEW,
        })
      ).status,
    ).toBe(404);
  });

  it('identity 4.4: says the same for an address that nobody has', async () => {
    const plain = (text: string, email: string) => text.replaceAll(email, '…');
    const known = await ask();
    const unknown = await ask('nobody@example.com', new PeopleBrowser(people.app));
    expect([unknown.status, plain(unknown.text, 'nobody@example.com')]).toEqual([
      known.status,
      plain(known.text, ADMIN.email),
    ]);
    expect(people.mailer.sent).toHaveLength(1);
  });

  it('a weak password leaves the link good', async () => {
    await ask();
    const link = people.mailer.linkTo(ADMIN.email);
    const weak = await browser.fill(link, { password: 'short' });
    expect([weak.status, weak.text.includes('Use at least 12 characters')]).toEqual([422, true]);
    expect((await browser.fill(link, { password: NEW })).status).toBe(303);
  });

  it('of two who use one link at once, one sets the password', async () => {
    await ask();
    const form = formOf((await browser.get(people.mailer.linkTo(ADMIN.email))).text);
    const answers = await Promise.all(
      ['the first of two passwords', 'the second of two passwords'].map((password) =>
        browser.post(form.action, { ...form.hidden, password }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  it('a newer link burns the older, and a link ends after an hour', async () => {
    await ask();
    const first = people.mailer.linkTo(ADMIN.email);
    await ask();
    expect((await browser.get(first)).status).toBe(404);
    const row = await test.database.one<{ minutes: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int / 60 AS minutes FROM identity.account_tokens
        WHERE used_at IS NULL`,
    );
    expect(row).toEqual({ minutes: 60 });
    await test.database.query("UPDATE identity.account_tokens SET expires_at = now() - interval '1 second'");
    expect((await browser.get(people.mailer.linkTo(ADMIN.email))).status).toBe(404);
  });

  it('identity 8: three mails an hour for one address, silently; five wishes an hour from one place, aloud', async () => {
    for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(200);
    expect(people.mailer.sent).toHaveLength(3);
    const sixth = await ask('another@example.com');
    expect([sixth.status, Number(sixth.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  it('sends no link to somebody who is suspended, and takes none', async () => {
    await ask();
    const link = people.mailer.linkTo(ADMIN.email);
    await test.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, is_admin, created_at, updated_at)
       VALUES ('0190aaaa-0000-7000-8000-000000000001', 'b@example.com', 'b@example.com', 'B', 'x', now(), true, now(), now())`,
    );
    const row = await test.database.one<{ id: string }>(
      "SELECT id FROM identity.persons WHERE email_lower = 'ines.marlow@example.com'",
    );
    await people.app.get(SuspendPerson).execute(CONSOLE, { personId: row!.id });
    expect((await browser.get(link)).status).toBe(404);
    await ask();
    expect(people.mailer.sent).toHaveLength(1);
  });

  it('says whom to ask while mail is off', async () => {
    people.mailer.isOn = false;
    expect((await browser.get('/forgot-password')).text).toContain('Ask an administrator');
    expect((await browser.get('/login')).text).not.toContain('/forgot-password');
  });

  it('a change of password in the account mails a notice', async () => {
    await signIn(browser);
    const csrf = formOf((await browser.get('/logout')).text).hidden._csrf!;
    await browser.agent
      .put('/api/account/password')
      .set('Loupe-Csrf-Token', csrf)
      .send({ password: NEW })
      .expect(204);
    expect(people.mailer.lastTo(ADMIN.email).subject).toContain('Your password was changed');
  });
});
