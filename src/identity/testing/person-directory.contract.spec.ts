import { TestDatabase } from '../../../test/support/test-database.js';
import { DELETED_PERSON, PersonDirectory } from '../application/ports/person-directory.js';
import { Person } from '../domain/person.js';
import { PostgresPersons } from '../infrastructure/postgres-persons.js';
import { SqlPersonDirectory } from '../infrastructure/sql-person-directory.js';
import { InMemoryPersonDirectory, type KnownPerson } from './in-memory-person-directory.js';

const id = (n: number): string => `0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`;
const NOW = new Date('2026-01-05T09:00:00.000Z');

const PEOPLE: readonly KnownPerson[] = [
  { id: id(1), displayName: 'Active', email: 'P1@Example.com' },
  { id: id(2), displayName: 'Gone', email: 'p2@example.com', state: 'deleted' },
  { id: id(3), displayName: 'Suspended', email: 'p3@example.com', state: 'suspended' },
  { id: id(4), displayName: 'Unverified', email: 'p4@example.com', state: 'unverified' },
];

describe.each(['in memory', 'in PostgreSQL'])('names of people, %s', (kind) => {
  let test: TestDatabase | undefined;
  let directory: PersonDirectory;

  beforeAll(async () => {
    if (kind === 'in memory') {
      directory = new InMemoryPersonDirectory(...PEOPLE);
      return;
    }
    test = await TestDatabase.start();
    const persons = new PostgresPersons(test.database);
    for (const { state, ...person } of PEOPLE) {
      await persons.add(
        Person.restore({
          ...person,
          passwordHash: 'h',
          isAdmin: false,
          emailVerifiedAt: state === 'unverified' ? null : NOW,
          suspendedAt: state === 'suspended' ? NOW : null,
          suspendedReason: null,
          deletionRequestedAt: state === 'deleted' ? NOW : null,
          lastLoginAt: null,
          timezone: 'UTC',
          preferences: {},
          createdAt: NOW,
          updatedAt: NOW,
        }),
      );
    }
    directory = new SqlPersonDirectory(test.database);
  });

  afterAll(() => test?.stop());

  it('names everybody who is there, and calls gone and unknown people deleted', async () => {
    const unknown = [id(9), 'no-uuid'];
    expect(Object.fromEntries(await directory.names([1, 2, 3, 4].map(id).concat(unknown)))).toEqual({
      [id(1)]: 'Active',
      [id(2)]: DELETED_PERSON,
      [id(3)]: 'Suspended',
      [id(4)]: 'Unverified',
      [id(9)]: DELETED_PERSON,
      'no-uuid': DELETED_PERSON,
    });
    expect(await directory.names([])).toEqual(new Map());
  });

  it('finds only active people by address, whatever its capitals', async () => {
    expect(await directory.byVerifiedEmail('p1@EXAMPLE.com')).toEqual({ id: id(1), displayName: 'Active' });
    for (const n of [2, 3, 4, 9]) expect(await directory.byVerifiedEmail(`p${n}@example.com`)).toBeNull();
  });

  it('knows who is active', async () => {
    expect(
      await Promise.all([...[1, 2, 3, 4, 9].map(id), 'no-uuid'].map((one) => directory.isActive(one))),
    ).toEqual([true, false, false, false, false, false]);
  });
});
