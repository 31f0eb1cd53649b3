import { TestDatabase } from '../../test/support/test-database.js';
import { Database } from './database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await TestDatabase.start();
});
afterAll(() => db.stop());

const ECHO = 'SELECT $1::int AS value';

describe('statements of every request', () => {
  it('each get their own answer, also when many begin before the first is prepared', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => db.database.hot<{ value: number }>(ECHO, [n])));
    expect(answers.map(([row]) => row!.value)).toEqual(numbers);
  });

  it('fail alone: one that breaks leaves those before and behind it as they are', async () => {
    const failing = 'SELECT 1 / $1::int AS value';
    const answers = await Promise.allSettled(
      [1, 0, 1, 0, 1].map((n) => db.database.hot<{ value: number }>(failing, [n])),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('go on after the server has ended their connections', async () => {
    const own = await Database.connect({ url: db.url, pool: 2, applicationName: 'loupe-hot' });
    await Promise.all([own.hot(ECHO, [1]), own.hot(ECHO, [2])]);
    await db.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'loupe-hot' AND query LIKE '%$1::int AS value%'",
    );
    const recovered = async (): Promise<boolean> => {
      for (let tries = 0; tries < 20; tries += 1) {
        const answers = await Promise.allSettled([own.hot(ECHO, [1]), own.hot(ECHO, [2])]);
        if (answers.every(({ status }) => status === 'fulfilled')) return true;
        for (const answer of answers) {
          if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ kind: 'unavailable' });
        }
        await new Promise((done) => setTimeout(done, 20));
      }
      return false;
    };
    expect(await recovered()).toBe(true);
    await own.close();
  });

  it('see what their unit of work has written, and nothing else does', async () => {
    await db.database.query('CREATE TABLE hot_marks (id int PRIMARY KEY)');
    const marks = () => db.database.hot('SELECT id FROM hot_marks');
    await db.database.run(async () => {
      await db.database.query('INSERT INTO hot_marks VALUES (7)');
      expect(await marks()).toEqual([{ id: 7 }]);
      expect(await db.database.outside(marks)).toEqual([]);
    });
    expect(await marks()).toEqual([{ id: 7 }]);
  });

  it('take the pool where a pooler stands between', async () => {
    const own = await Database.connect({
      url: db.url,
      pool: 2,
      applicationName: 'loupe-pooled',
      prepared: false,
    });
    expect(await own.hot(ECHO, [3])).toEqual([{ value: 3 }]);
    const prepared = await own.query('SELECT name FROM pg_prepared_statements');
    expect(prepared).toEqual([]);
    await own.close();
  });
});
