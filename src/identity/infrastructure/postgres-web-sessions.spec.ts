import { TestDatabase } from '../../../test/support/test-database.js';
import { Person } from '../domain/person.js';
import { newWebSession, sessionIdOf } from '../domain/web-session.js';
import { PostgresPersons } from './postgres-persons.js';
import { PostgresWebSessions } from './postgres-web-sessions.js';

const PERSON = '0190aaaa-0000-7000-8000-000000000001';

describe('web sessions in PostgreSQL', () => {
  let test: TestDatabase;
  let sessions: PostgresWebSessions;

  beforeAll(async () => {
    test = await TestDatabase.start();
    sessions = new PostgresWebSessions(test.database);
    await new PostgresPersons(test.database).add(
      Person.createVerified(
        { id: PERSON, email: 'a@b.co', displayName: 'A', passwordHash: 'h', isAdmin: false },
        new Date(),
      ),
    );
  });

  afterAll(() => test.stop());

  beforeEach(() => test.database.query('TRUNCATE identity.web_sessions'));

  const opened = async (userAgent = 'agent'): Promise<string> => {
    const { session, cookie } = newWebSession(PERSON, { ip: '203.0.113.7', userAgent });
    await sessions.add(session);
    expect(session.id).toBe(sessionIdOf(cookie));
    return session.id;
  };

  it('keeps at most 300 characters of the browser and ends after 14 days', async () => {
    await opened('x'.repeat(1_000));
    const row = await test.database.one<{ length: number; days: number }>(
      `SELECT length(user_agent) AS length, extract(epoch FROM expires_at - now())::float8 / 86400 AS days
         FROM identity.web_sessions`,
    );
    expect(row!.length).toBe(300);
    expect(row!.days).toBeCloseTo(14, 3);
  });

  it('ends one, or all but one, and says how many that were open', async () => {
    const [first, second, third] = [await opened(), await opened(), await opened()];
    expect(await sessions.end(PERSON, first)).toBe(true);
    expect(await sessions.end(PERSON, first)).toBe(false);
    expect(await sessions.end('0190aaaa-0000-7000-8000-000000000002', second)).toBe(false);
    await opened();
    await test.database.query("UPDATE identity.web_sessions SET expires_at = '-infinity' WHERE id = $1", [
      third,
    ]);
    expect(await sessions.endAll(PERSON, second)).toBe(1);
    expect(await test.database.query('SELECT id FROM identity.web_sessions')).toEqual([{ id: second }]);
  });

  it('has no time of proof for a session that has ended, and a new one after a proof', async () => {
    const session = await opened();
    await test.database.query("UPDATE identity.web_sessions SET auth_time = now() - interval '1 hour'");
    const before = (await sessions.authTime(session))!;
    await sessions.proved(session);
    expect((await sessions.authTime(session))!.getTime() - before.getTime()).toBeGreaterThan(3_500_000);
    await test.database.query("UPDATE identity.web_sessions SET expires_at = '-infinity'");
    expect(await sessions.authTime(session)).toBeNull();
  });

  it('purges what has expired in batches, and nothing else', async () => {
    for (let count = 0; count < 3; count += 1) await opened();
    await test.database.query("UPDATE identity.web_sessions SET expires_at = now() - interval '1 second'");
    const open = await opened();
    expect([
      await sessions.purgeExpired(2),
      await sessions.purgeExpired(2),
      await sessions.purgeExpired(2),
    ]).toEqual([2, 1, 0]);
    expect(await test.database.query('SELECT id FROM identity.web_sessions')).toEqual([{ id: open }]);
  });
});
