import { DomainError } from '#libs/kernel/errors.js';
import type { RequestKey, RequestResults } from '#libs/kernel/ports/request-results.js';
import { OUTCOME_UNKNOWN } from '#libs/kernel/saved-changes.js';
import { InMemoryRequestResults } from '#libs/kernel/testing/in-memory-request-results.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { pause } from '../../../test/support/until.js';
import { SqlRequestResults } from './sql-request-results.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.start({ pool: 10 });
});
afterAll(() => test.stop());

const key = (changes: Partial<RequestKey> = {}): RequestKey => ({
  principal: 'connection:c1',
  projectId: '0195c0de-0000-7000-8000-0000000000f1',
  requestId: '0195c0de-0000-4000-8000-000000000001',
  operation: 'card_create',
  argumentsHash: 'a'.repeat(64),
  ...changes,
});

describe.each(['the fake', 'PostgreSQL'])('RequestResults, contract of %s', (kind) => {
  let results: RequestResults;
  beforeEach(async () => {
    await test.database.query('TRUNCATE platform.request_results');
    results = kind === 'PostgreSQL' ? new SqlRequestResults(test.database) : new InMemoryRequestResults();
  });

  it('gives a repeat the kept result, and acts no second time', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
      return { id: 'x', empty: null, list: [1, 'zwei', '\u0000 \\u0000 👍'] };
    };
    const first = await results.once(key(), work);
    const second = await results.once(key(), work);
    expect(first).toEqual({ result: await work(), repeated: false });
    expect(second).toEqual({ result: first.result, repeated: true });
    expect(runs).toBe(2);
  });

  it('keeps a result that is nothing', async () => {
    await results.once(key(), async () => undefined);
    expect(await results.once(key(), async () => 'ran again')).toEqual({ result: undefined, repeated: true });
  });

  it('lets a repeat wait for the first, which runs once', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
      await pause(200);
      return runs;
    };
    const answers = await Promise.all(Array.from({ length: 8 }, () => results.once(key(), work)));
    expect(answers.map(({ result }) => result)).toEqual(Array(8).fill(1));
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  });

  it('keeps nothing of a call that was refused: a repeat runs again', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
      if (runs === 1) throw new Error('refused');
      return runs;
    };
    await expect(results.once(key(), work)).rejects.toThrow('refused');
    expect(await results.once(key(), work)).toEqual({ result: 2, repeated: false });
  });

  it('refuses the same id with other arguments, or for another operation', async () => {
    await results.once(key(), async () => 1);
    for (const changes of [{ argumentsHash: 'b'.repeat(64) }, { operation: 'card_update' }]) {
      await expect(results.once(key(changes), async () => 2)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'request_id_reused',
      });
    }
  });

  it('tells requests of other callers and other projects apart', async () => {
    await results.once(key(), async () => 1);
    for (const changes of [{ principal: 'connection:c2' }, { projectId: null }]) {
      expect(await results.once(key(changes), async () => 2)).toEqual({ result: 2, repeated: false });
    }
  });
});

describe('SqlRequestResults', () => {
  const results = () => new SqlRequestResults(test.database);
  beforeEach(() => test.database.query('TRUNCATE platform.request_results'));

  it('keeps the claim when the transaction of the caller is rolled back and the result when it commits', async () => {
    await test.database.run(async () => {
      await results().once(key(), async () => 1);
    });
    expect(await results().once(key(), async () => 2)).toEqual({ result: 1, repeated: true });
  });

  it('forgets after 10 minutes', async () => {
    await results().once(key(), async () => 1);
    await test.database.query(
      "UPDATE platform.request_results SET claimed_at = now() - interval '11 minutes'",
    );
    expect(await results().once(key(), async () => 2)).toEqual({ result: 2, repeated: false });
    await test.database.query(
      "UPDATE platform.request_results SET claimed_at = now() - interval '11 minutes'",
    );
    await results().purge();
    expect(await test.database.query('SELECT 1 FROM platform.request_results')).toEqual([]);
  });

  it('never acts a second time after a commit of which nobody knows whether it was made', async () => {
    const unknown = new DomainError('unavailable', OUTCOME_UNKNOWN, 'Nobody knows.');
    await expect(results().once(key(), () => Promise.reject(unknown))).rejects.toBe(unknown);
    // And nobody waits for it.
    await expect(results().once(key(), async () => 2)).rejects.toMatchObject({ code: 'outcome_unknown' });
  });

  it('never acts a second time for a call whose process died in the middle', async () => {
    await test.database.query(
      `INSERT INTO platform.request_results (principal, project_id, request_id, operation, arguments_hash, claimed_at)
       VALUES ($1, $2, $3, $4, $5, now() - interval '80 seconds')`,
      [key().principal, key().projectId, key().requestId, key().operation, key().argumentsHash],
    );
    let ran = false;
    await expect(
      results().once(key(), async () => {
        ran = true;
      }),
    ).rejects.toMatchObject({ kind: 'conflict', code: 'outcome_unknown' });
    expect(ran).toBe(false);
  });
});
