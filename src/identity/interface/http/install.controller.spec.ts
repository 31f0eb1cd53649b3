import { TestDatabase } from '../../../../test/support/test-database.js';
import { EnsureFirstAdmin } from '../../application/commands/ensure-first-admin.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { ADMIN, formOf, install, PeopleBrowser, signIn } from '../../testing/people-browser.js';

const PROD = {
  APP_ENV: 'prod',
  DEFAULT_URI: 'http://localhost:3000',
  HOST: '127.0.0.1',
};

describe('/install', () => {
  let test: TestDatabase;
  let people: PeopleApp;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
  });

  afterEach(() => people.app.close());

  const start = async (env: NodeJS.ProcessEnv = {}): Promise<PeopleBrowser> => {
    people = await startPeopleApp(test.database, env);
    return new PeopleBrowser(people.app);
  };
  const persons = (): Promise<Record<string, unknown>[]> =>
    test.database.query(
      'SELECT email, email_lower, display_name, is_admin, email_verified_at FROM identity.persons',
    );

  it('shows the status first, with the names and fixes of what fails', async () => {
    const browser = await start();
    const page = await browser.get('/install');
    expect(page.status).toBe(200);
    expect(page.text).toContain('One check failed');
    expect(page.text).toContain('No mail &lt;server&gt; is set. Set MAILER_DSN.');
    expect(page.text).toContain('href="/install?step=account"');
  });

  it('makes a verified admin, signs in, writes the switch and opens the wizard', async () => {
    const browser = await start();
    const answer = await browser.fill('/install?step=account', ADMIN);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/welcome');
    expect(await persons()).toEqual([
      {
        email: 'Ines.Marlow@example.com',
        email_lower: 'ines.marlow@example.com',
        display_name: 'Ines Marlow',
        is_admin: true,
        email_verified_at: expect.any(Date),
      },
    ]);
    const account = await browser.get('/api/account');
    expect(account.status).toBe(200);
    expect(account.body).toMatchObject({
      email: ADMIN.email,
      displayName: ADMIN.displayName,
      pendingEmail: null,
    });
    expect(people.flagsSet).toEqual([
      { name: 'registration.enabled', value: false, personId: account.body.id },
    ]);
    expect(people.audit.entries.map(({ operation }) => operation)).toEqual([
      'install.completed',
      'session.started',
    ]);
    expect(people.outbox.events.map(({ type }) => type)).toEqual(['PersonRegistered', 'InstanceInstalled']);
    expect(JSON.stringify(people.audit.entries)).not.toMatch(/marlow|unrelated/i);
  });

  it('identity 12.20: on a production instance without INSTALL_TOKEN the page is 404 and /register makes nobody', async () => {
    const browser = await start(PROD);
    expect((await browser.get('/install')).status).toBe(404);
    expect((await browser.get('/install?token=')).status).toBe(404);
    expect((await browser.post('/install', ADMIN)).status).toBe(404);
    for (const answer of [
      await browser.get('/register'),
      await browser.post('/register', ADMIN),
      await browser.get('/login'),
      await browser.post('/login', ADMIN),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.text).toContain('This instance is not installed yet');
    }
    expect(await persons()).toEqual([]);
  });

  it('identity 12.21: with the token the wizard makes an admin, and a second visit is 404', async () => {
    const token = 'a-token-that-nobody-guesses';
    const browser = await start({ ...PROD, INSTALL_TOKEN: token });
    expect((await browser.get('/install')).status).toBe(404);
    expect((await browser.get('/install?token=wrong')).status).toBe(404);
    const accepted = await browser.get(`/install?token=${token}`);
    expect([accepted.status, accepted.headers.location]).toEqual([303, '/install']);
    expect(String(accepted.headers['set-cookie'])).not.toContain(token);
    expect((await new PeopleBrowser(people.app).get('/install')).status).toBe(404);
    expect((await browser.get('/install')).status).toBe(200);
    expect((await install(browser)).headers.location).toBe('/welcome');
    expect(await persons()).toHaveLength(1);
    expect((await browser.get('/install')).status).toBe(404);
    expect((await browser.get('/install?step=account')).status).toBe(404);
    expect((await browser.get(`/install?token=${token}`)).status).toBe(404);
  });

  it('takes no token of an address any more after 10 wrong ones', async () => {
    const browser = await start({ ...PROD, INSTALL_TOKEN: 'short' });
    for (let tries = 0; tries < 10; tries += 1) await browser.get(`/install?token=wrong${tries}`);
    expect((await browser.get('/install?token=short')).status).toBe(404);
    const elsewhere = new PeopleBrowser(people.app);
    elsewhere.ip = '198.51.100.4';
    expect((await elsewhere.get('/install?token=short')).status).toBe(303);
  });

  it('lets one of two submits at once win and answers the other with 409', async () => {
    await start();
    const browsers = [new PeopleBrowser(people.app), new PeopleBrowser(people.app)];
    const forms = await Promise.all(
      browsers.map(async (browser) => formOf((await browser.get('/install?step=account')).text)),
    );
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.post('/install', { ...forms[index]!.hidden, ...ADMIN, email: `p${index}@example.com` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain(
      'This instance is already installed',
    );
    expect(await persons()).toHaveLength(1);
  });

  it('names every wrong field at once, beside the field and above, and keeps what was typed but the password', async () => {
    const browser = await start();
    const answer = await browser.fill('/install?step=account', {
      email: 'no address',
      displayName: '   ',
      password: 'short',
    });
    expect(answer.status).toBe(422);
    for (const field of ['email', 'displayName', 'password']) {
      expect(answer.text).toContain(`<a href="#${field}">`);
      expect(answer.text).toContain(`id="${field}-error"`);
    }
    expect(answer.text).toContain('value="no address"');
    expect(answer.text).not.toContain('short');
    expect(answer.text).toMatch(/role="alert" tabindex="-1" autofocus/);
    expect(answer.text).not.toMatch(/name="registration"[^>]*checked/);
    expect(await persons()).toEqual([]);
  });

  it('takes 0 for a name', async () => {
    const browser = await start();
    await browser.fill('/install?step=account', { ...ADMIN, displayName: '0' });
    expect(await persons()).toMatchObject([{ display_name: '0' }]);
  });

  it('identity 12.27: a submit without the form token is 403, keeps the typed text and makes nobody', async () => {
    const browser = await start();
    const answer = await browser.post('/install', { ...ADMIN });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(ADMIN.email);
    expect(await persons()).toEqual([]);
  });

  it('platform 19.33: LOUPE_ADMIN_EMAIL and _PASSWORD make the admin, and changed values change nothing', async () => {
    const first = { LOUPE_ADMIN_EMAIL: ADMIN.email, LOUPE_ADMIN_PASSWORD: ADMIN.password };
    let browser = await start(first);
    expect((await browser.get('/install')).status).toBe(404);
    expect(await people.app.get(EnsureFirstAdmin).execute()).toEqual({ made: true });
    expect((await browser.get('/install')).status).toBe(404);
    expect((await signIn(browser)).headers.location).toBe('/welcome');
    expect(people.flagsSet).toEqual([]);
    await people.app.close();
    browser = await start({ LOUPE_ADMIN_EMAIL: 'other@example.com', LOUPE_ADMIN_PASSWORD: 'weak' });
    expect(await people.app.get(EnsureFirstAdmin).execute()).toEqual({ made: false });
    expect(await persons()).toHaveLength(1);
    expect((await signIn(browser)).headers.location).toBe('/welcome');
  });

  it('stops the start when the variables of the first admin break the rules', async () => {
    await start({ LOUPE_ADMIN_EMAIL: 'nobody', LOUPE_ADMIN_PASSWORD: 'password1234' });
    const error = await people.app
      .get(EnsureFirstAdmin)
      .execute()
      .catch((problem: Error) => problem);
    expect(String(error)).toContain('LOUPE_ADMIN_EMAIL: Enter an address');
    expect(String(error)).toContain('LOUPE_ADMIN_PASSWORD: This password is on a list of common ones');
    expect(await persons()).toEqual([]);
  });
});
