import { TestDatabase } from '../../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { PeopleBrowser, signIn } from '../../testing/people-browser.js';
import { CreateAdmin } from './create-admin.js';
import { ForceVerifyPerson } from './force-verify-person.js';
import { PromotePerson } from './promote-person.js';

const OPS = { kind: 'console', osUser: 'ops' } as const;
const EMAIL = 'ops@example.com';

describe('console commands for people', () => {
  let test: TestDatabase;
  let people: PeopleApp;

  beforeAll(async () => {
    test = await TestDatabase.start();
    people = await startPeopleApp(test.database);
  });

  afterAll(async () => {
    await people.app.close();
    await test.stop();
  });

  beforeEach(async () => {
    await test.database.query('TRUNCATE identity.persons CASCADE');
    people.audit.entries.length = 0;
  });

  const facts = () =>
    test.database.query(
      'SELECT email, is_admin, email_verified_at IS NOT NULL AS verified FROM identity.persons',
    );
  const operations = (): string[] => people.audit.entries.map(({ operation }) => operation);

  it('admin:create makes a verified admin with a made password that is told once', async () => {
    const made = await people.app.get(CreateAdmin).execute(OPS, { email: EMAIL });
    expect(made).toMatchObject({ outcome: 'created', madePassword: expect.stringMatching(/^[\w-]{24}$/) });
    expect(await facts()).toEqual([{ email: EMAIL, is_admin: true, verified: true }]);
    const browser = new PeopleBrowser(people.app);
    expect((await signIn(browser, { email: EMAIL, password: made.madePassword! })).status).toBe(303);
  });

  it('admin:create keeps the password of an account, promotes and verifies it, and then has nothing to do', async () => {
    const password = 'four unrelated words here';
    const command = people.app.get(CreateAdmin);
    await command.execute(OPS, { email: EMAIL, name: 'Ops', password });
    await test.database.query('UPDATE identity.persons SET is_admin = false, email_verified_at = NULL');
    people.audit.entries.length = 0;
    const again = { email: 'OPS@example.com', password: 'another password here' };
    expect(await command.execute(OPS, again)).toMatchObject({ outcome: 'promoted', madePassword: null });
    expect(operations()).toEqual(['person.verified', 'person.promoted']);
    expect(await command.execute(OPS, again)).toMatchObject({ outcome: 'already', madePassword: null });
    expect(operations()).toHaveLength(2);
    expect((await signIn(new PeopleBrowser(people.app), { email: EMAIL, password })).status).toBe(303);
  });

  it('admin:create names everything that is wrong and makes nobody', async () => {
    await expect(
      people.app.get(CreateAdmin).execute(OPS, { email: 'x', name: '', password: 'short' }),
    ).rejects.toMatchObject({
      problems: [{ argument: 'email' }, { argument: 'displayName' }, { argument: 'password' }],
    });
    expect(await facts()).toEqual([]);
  });

  it.each(['user:promote', 'admin:create'])(
    'identity 2.3: %s ends the sessions of whoever gains the rights',
    async (name) => {
      const password = 'four unrelated words here';
      await people.app.get(CreateAdmin).execute(OPS, { email: EMAIL, password });
      await test.database.query('UPDATE identity.persons SET is_admin = false');
      const browser = new PeopleBrowser(people.app);
      await signIn(browser, { email: EMAIL, password });
      expect((await browser.get('/api/account')).status).toBe(200);
      await people.app
        .get<PromotePerson | CreateAdmin>(name === 'user:promote' ? PromotePerson : CreateAdmin)
        .execute(OPS, { email: EMAIL });
      expect((await browser.get('/api/account')).status).toBe(401);
    },
  );

  it('user:promote and user:verify change once and refuse unknown addresses', async () => {
    await people.app.get(CreateAdmin).execute(OPS, { email: EMAIL });
    await test.database.query('UPDATE identity.persons SET is_admin = false, email_verified_at = NULL');
    people.audit.entries.length = 0;
    for (const command of [people.app.get(PromotePerson), people.app.get(ForceVerifyPerson)]) {
      expect(await command.execute(OPS, { email: 'Ops@Example.com' })).toEqual({ changed: true });
      expect(await command.execute(OPS, { email: EMAIL })).toEqual({ changed: false });
      await expect(command.execute(OPS, { email: 'no@example.com' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(operations()).toEqual(['person.promoted', 'person.verified']);
    expect(await facts()).toEqual([{ email: EMAIL, is_admin: true, verified: true }]);
  });
});
