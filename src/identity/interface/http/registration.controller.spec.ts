import { TestDatabase } from '../../../../test/support/test-database.js';
import { InvitePerson } from '../../application/commands/invite-person.js';
import { SuspendPerson } from '../../application/commands/suspend-person.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const TOBI = { email: 'Tobi@example.com', displayName: 'Tobi Ahlers', password: 'seven quiet herons wade' };
const CONSOLE = { kind: 'console', osUser: 'ops' } as const;

describe('registration', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let browser: PeopleBrowser;

  const start = async (mail = true): Promise<void> => {
    people = await startPeopleApp(test.database, {}, { mail });
    people.flagsOn.add('registration.enabled');
    browser = new PeopleBrowser(people.app);
  };
  const everybody = () =>
    test.database.query<{ email: string; verified: boolean; admin: boolean }>(
      `SELECT email, email_verified_at IS NOT NULL AS verified, is_admin AS admin
         FROM identity.persons ORDER BY created_at, id`,
    );
  const operations = () => people.audit.entries.map(({ operation }) => operation);

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    await start();
    await install(new PeopleBrowser(people.app));
    people.audit.entries.length = 0;
  });

  afterEach(() => people.app.close());

  it('identity 4.2: an account has to prove its address by mail; the link signs in once', async () => {
    const answer = await browser.fill('/register', TOBI);
    expect([answer.status, answer.headers.location]).toEqual([303, '/check-email']);
    expect((await browser.get('/check-email')).text).toContain('Tobi@example.com');
    expect((await browser.get('/api/account')).status).toBe(401);
    expect((await everybody()).at(-1)).toEqual({ email: TOBI.email, verified: false, admin: false });

    const link = people.mailer.linkTo(TOBI.email);
    const page = await browser.get(link);
    expect(page.text).toContain('Tobi@example.com');
    // Looking at the link uses nothing up.
    expect((await everybody()).at(-1)).toMatchObject({ verified: false });
    const opened = await browser.fill(link, {});
    expect([opened.status, opened.headers.location]).toEqual([303, '/welcome']);
    expect((await browser.get('/api/account')).body).toMatchObject({ displayName: 'Tobi Ahlers' });
    expect(operations()).toEqual(['person.registered', 'person.verified', 'session.started']);
    expect(people.outbox.events.map(({ type }) => type)).toContain('PersonVerified');

    const again = await new PeopleBrowser(people.app).get(link);
    expect([again.status, again.text.includes('This link no longer works')]).toEqual([404, true]);
  });

  it('leads on to the page that was asked for, also over the mail, and never away', async () => {
    const next = '/oauth/consent/abc?x=1';
    const login = await browser.get(`/login?next=${encodeURIComponent(next)}`);
    const register = /href="(\/register[^"]*)"/.exec(login.text)![1]!.replaceAll('&amp;', '&');
    await browser.fill(register, TOBI);
    const opened = await browser.fill(people.mailer.linkTo(TOBI.email), {});
    expect(opened.headers.location).toBe(next);
    const other = new PeopleBrowser(people.app);
    await other.fill('/register?next=//evil.example', { ...TOBI, email: 'mira@example.com' });
    expect((await other.fill(people.mailer.linkTo('mira@example.com'), {})).headers.location).toBe(
      '/welcome',
    );
  });

  it('identity 12.23: a taken address gets the same page, and its owner a mail that says so', async () => {
    const fresh = await browser.fill('/register', TOBI);
    const other = new PeopleBrowser(people.app);
    const taken = await other.fill('/register', { ...TOBI, email: ADMIN.email.toUpperCase() });
    expect([taken.status, taken.headers.location]).toEqual([fresh.status, fresh.headers.location]);
    const names = (answer: typeof fresh) =>
      (answer.headers['set-cookie'] as unknown as string[]).map((line) => line.split('=')[0]);
    expect(names(taken)).toEqual(names(fresh));
    const plain = (text: string, email: string) =>
      text.replaceAll(email, '…').replaceAll(/value="[^"]*"/g, '');
    expect(plain((await other.get('/check-email')).text, ADMIN.email.toUpperCase())).toBe(
      plain((await browser.get('/check-email')).text, TOBI.email),
    );
    expect(people.mailer.lastTo(ADMIN.email)).toMatchObject({
      subject: expect.stringContaining('You have an account'),
    });
    expect(await everybody()).toHaveLength(2);
  });

  it('identity 10: two registrations of one address at once make one account, and both see the same page', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => new PeopleBrowser(people.app).fill('/register', TOBI)),
    );
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(3).fill('/check-email'));
    expect((await everybody()).filter(({ email }) => email === TOBI.email)).toHaveLength(1);
  });

  it('whoever registers an address first does not choose the password of its owner', async () => {
    await browser.fill('/register', TOBI);
    const owner = new PeopleBrowser(people.app);
    await owner.fill('/register', { ...TOBI, password: 'the password of the owner' });
    expect(people.mailer.lastTo(TOBI.email).action!.url).toContain('/reset-password?token=');
    const set = await owner.fill(people.mailer.linkTo(TOBI.email), { password: 'the password of the owner' });
    expect(set.status).toBe(303);
    expect((await everybody()).at(-1)).toMatchObject({ verified: true });
    expect((await signIn(new PeopleBrowser(people.app), TOBI)).status).toBe(422);
  });

  it('identity 12.22: registration off refuses with 403 and the reason, and an invitation works all the same', async () => {
    people.flagsOn.delete('registration.enabled');
    const page = await browser.get('/register');
    expect([page.status, page.text.includes('switched registration off')]).toEqual([200, true]);
    expect((await browser.post('/register', TOBI)).status).toBe(403);
    expect(await everybody()).toHaveLength(1);

    const { link } = await people.app.get(InvitePerson).execute(CONSOLE, { email: TOBI.email, send: false });
    const url = new URL(link);
    const answer = await browser.fill(`${url.pathname}${url.search}`, {
      ...TOBI,
      email: 'another@example.com',
    });
    expect([answer.status, answer.headers.location]).toEqual([303, '/welcome']);
    expect((await everybody()).at(-1)).toEqual({ email: TOBI.email, verified: true, admin: false });
    const second = await new PeopleBrowser(people.app).get(`${url.pathname}${url.search}`);
    expect([second.status, second.text.includes('no longer works')]).toEqual([404, true]);
  });

  it('identity 4.2: closes at the highest number of people, and while mail is off', async () => {
    people.flagValues.set('registration.max_people', 1);
    expect((await browser.get('/register')).text).toContain('as many people as it may have');
    expect((await browser.post('/register', TOBI)).status).toBe(403);
    people.flagValues.set('registration.max_people', 2);
    expect((await browser.fill('/register', TOBI)).status).toBe(303);
    people.mailer.isOn = false;
    people.flagValues.clear();
    expect((await browser.get('/register')).text).toContain('cannot send mail');
    expect((await browser.post('/register', TOBI)).status).toBe(403);
  });

  it('identity 12.20: makes nobody before the instance is installed', async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await people.app.close();
    await start();
    expect((await browser.get('/register')).status).toBe(503);
    expect((await browser.post('/register', TOBI)).status).toBe(503);
    expect(await everybody()).toEqual([]);
  });

  it('keeps what was typed and names every wrong field; the page of a forged form makes nobody', async () => {
    const answer = await browser.fill('/register', {
      email: 'no address',
      displayName: '',
      password: 'short',
    });
    expect(answer.status).toBe(422);
    for (const field of ['email', 'displayName', 'password']) {
      expect(answer.text).toContain(`id="${field}-error"`);
    }
    expect(answer.text).toContain('value="no address"');
    expect(answer.text).not.toContain('value="short"');
    const forged = await browser.post('/register', { ...TOBI, _csrf: 'forged' });
    expect([forged.status, forged.text.includes('out of date')]).toEqual([403, true]);
    expect(await everybody()).toHaveLength(1);
  });

  it('identity 8: the sixth registration of an hour from one address is refused', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await browser.fill('/register', { ...TOBI, email: `p${n}@example.com` })).status).toBe(303);
    }
    const sixth = await browser.fill('/register', { ...TOBI, email: 'p6@example.com' });
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const elsewhere = new PeopleBrowser(people.app);
    elsewhere.ip = '198.51.100.99';
    expect((await elsewhere.fill('/register', { ...TOBI, email: 'p7@example.com' })).status).toBe(303);
  });

  it('sends the link again at most three times an hour, and a newer link burns the older', async () => {
    await browser.fill('/register', TOBI);
    const first = people.mailer.linkTo(TOBI.email);
    for (let n = 0; n < 5; n += 1) {
      const answer = await browser.fill('/check-email', {});
      expect([answer.status, answer.headers.location]).toEqual([303, '/check-email?again']);
    }
    expect(people.mailer.sent.filter(({ to }) => to === TOBI.email)).toHaveLength(4);
    expect((await browser.get(first)).status).toBe(404);
    expect((await browser.get(people.mailer.linkTo(TOBI.email))).status).toBe(200);
  });

  it('signing in before the address is proved leads to the same page, with a way to get another link', async () => {
    await browser.fill('/register', TOBI);
    const later = new PeopleBrowser(people.app);
    const answer = await signIn(later, TOBI);
    expect([answer.status, answer.headers.location]).toEqual([303, '/check-email']);
    await later.fill('/check-email', {});
    expect(people.mailer.sent.filter(({ to }) => to === TOBI.email)).toHaveLength(2);
    expect((await signIn(later, { ...TOBI, password: 'not the password' })).status).toBe(422);
  });

  it('a link is good for its time and for nobody who was suspended meanwhile', async () => {
    await browser.fill('/register', TOBI);
    const link = people.mailer.linkTo(TOBI.email);
    const [{ id }] = (await test.database.query<{ id: string }>(
      "SELECT id FROM identity.persons WHERE email_lower = 'tobi@example.com'",
    )) as [{ id: string }];
    const { hidden, action } = formOf((await browser.get(link)).text);
    await people.app.get(SuspendPerson).execute(CONSOLE, { personId: id });
    expect((await browser.get(link)).status).toBe(404);
    expect((await browser.post(action, hidden)).status).toBe(404);
    await test.database.query('UPDATE identity.persons SET suspended_at = NULL');
    await test.database.query("UPDATE identity.account_tokens SET expires_at = now() - interval '1 second'");
    expect((await browser.get(link)).status).toBe(404);
  });

  it('identity 12.30: the database holds no value of a link', async () => {
    await browser.fill('/register', TOBI);
    const value = people.mailer.linkTo(TOBI.email).split('token=')[1]!;
    const rows = await test.database.query(
      'SELECT row_to_json(t)::text AS row FROM identity.account_tokens t',
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(value);
  });
});
