import { TestDatabase } from '../../../test/support/test-database.js';
import { Person } from '../domain/person.js';
import { PostgresPersons } from './postgres-persons.js';

const NOW = new Date('2026-01-05T09:00:00.123Z');
const id = (n: number): string => `0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('people in PostgreSQL', () => {
  let test: TestDatabase;
  let persons: PostgresPersons;

  beforeAll(async () => {
    test = await TestDatabase.start();
    persons = new PostgresPersons(test.database);
  });

  afterAll(() => test.stop());

  beforeEach(() => test.database.query('TRUNCATE identity.persons CASCADE'));

  const made = (n: number, isAdmin = false): Person =>
    Person.createVerified(
      { id: id(n), email: `P${n}@Example.com`, displayName: `Person ${n}`, passwordHash: 'h', isAdmin },
      NOW,
    );

  it('keeps every field', async () => {
    const person = made(1, true);
    await persons.add(person);
    expect((await persons.byId(id(1)))!.snapshot()).toEqual(person.snapshot());
    person.edit({ displayName: '0', timezone: 'Europe/Berlin', preferences: { shortcuts: false } }, NOW);
    person.suspend('because', { activeAdmins: 1 }, NOW);
    person.signedIn(NOW);
    await persons.save(person);
    expect((await persons.byEmail('p1@EXAMPLE.com'))!.snapshot()).toEqual(person.snapshot());
  });

  it('refuses an address that somebody has, whatever its capitals, also when both are added at once', async () => {
    const twin = (n: number): Person =>
      Person.createVerified(
        {
          id: id(n),
          email: n === 1 ? 'a@b.co' : 'A@B.CO',
          displayName: 'A',
          passwordHash: 'h',
          isAdmin: false,
        },
        NOW,
      );
    const results = await Promise.allSettled([persons.add(twin(1)), persons.add(twin(2))]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'taken' });
  });

  it('leaves the last project alone when the account is saved', async () => {
    const person = made(1);
    await persons.add(person);
    await persons.rememberProject(id(1), id(9));
    await persons.save(person);
    const row = await test.database.one('SELECT last_project_id FROM identity.persons');
    expect(row).toEqual({ last_project_id: id(9) });
  });

  it('counts the other active admins, and lets two admins who would go at once wait for each other', async () => {
    for (const n of [1, 2]) await persons.add(made(n, true));
    await persons.add(made(3));
    expect(await persons.otherActiveAdmins(id(1))).toBe(1);
    const suspend = (n: number): Promise<void> =>
      test.database.run(async () => {
        const activeAdmins = await persons.otherActiveAdmins(id(n));
        const person = (await persons.byId(id(n)))!;
        person.suspend(null, { activeAdmins }, NOW);
        await persons.save(person);
      });
    const results = await Promise.allSettled([suspend(1), suspend(2)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
