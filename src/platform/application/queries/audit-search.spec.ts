import { TestDatabase } from '../../../../test/support/test-database.js';
import { type AuditConditions, AuditSearch, type Place } from './audit-search.js';

const ROWS = 3_000;
const PROJECT = '00000000-0000-7000-8000-000000000001';

/** Whatever is asked for, the search finds what a plain query finds, in the same order, however often it has to stop. */
describe('AuditSearch', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.start();
    // Many records share a time, as those of one change do.
    await test.database.query(
      `INSERT INTO platform.audit_events
         (id, at, operation, outcome, actor_kind, actor_name, channel, subject_type, subject_id, project_id, context)
       SELECT md5(n::text)::uuid, timestamptz '2026-03-01' - (n / 7) * interval '1 hour',
         (ARRAY['document.created', 'board.card_moved', 'flag.changed'])[CASE WHEN n % 500 = 0 THEN 3 ELSE 1 + n % 2 END],
         CASE WHEN n % 20 = 3 THEN 'refused' WHEN n > 2900 AND n % 10 = 4 THEN 'failed' ELSE 'success' END,
         'person', (ARRAY['Ada', 'Äda 100%', 'Grace'])[1 + n % 3],
         CASE WHEN n % 2 = 0 THEN 'mcp' ELSE 'web' END, 'document', (n % 40)::text,
         CASE WHEN n % 5 = 0 THEN '${PROJECT}'::uuid END, '{}'
       FROM generate_series(1, ${ROWS}) AS n`,
    );
  });

  afterAll(() => test.stop());

  const plain = async (sql: string): Promise<string[]> => {
    const rows = await test.database.query<{ id: string }>(
      `SELECT id FROM platform.audit_events WHERE ${sql} ORDER BY at DESC, id DESC`,
    );
    return rows.map(({ id }) => id);
  };

  const all = async (search: AuditSearch, conditions: AuditConditions): Promise<string[]> => {
    const ids: string[] = [];
    for (let after: Place | null = null; ; ) {
      const { rows, searchedTo } = await search.page(conditions, after, 40);
      ids.push(...rows.map(({ id }) => id));
      const last = rows.at(-1);
      after = rows.length === 40 && last ? { at: last.at.toISOString(), id: last.id } : searchedTo;
      if (after === null) return ids;
    }
  };

  it.each<[string, AuditConditions, string]>([
    ['nothing', {}, 'true'],
    ['a common outcome', { outcome: 'success' }, "outcome = 'success'"],
    ['a rare outcome far back', { outcome: 'failed' }, "outcome = 'failed'"],
    [
      'a channel and a person',
      { channel: 'mcp', actor: 'grace%' },
      "channel = 'mcp' AND actor_name = 'Grace'",
    ],
    ['signs that a pattern knows', { actor: 'äda 100\\%%' }, "actor_name = 'Äda 100%'"],
    ['a rare operation', { operation: 'flag.%' }, "operation = 'flag.changed'"],
    ['what never meets', { channel: 'mcp', outcome: 'refused' }, 'false'],
    [
      'a project, an outcome and an operation',
      { project: PROJECT, outcome: 'success', operation: 'board.%' },
      `project_id = '${PROJECT}' AND outcome = 'success' AND operation = 'board.card_moved'`,
    ],
    ['a subject', { subject: '7', channel: 'web' }, "subject_id = '7' AND channel = 'web'"],
    [
      'a time, whose end is not part of it',
      { from: '2026-02-20T00:00:00.000Z', to: '2026-02-25T00:00:00.000Z', channel: 'web' },
      "at >= '2026-02-20' AND at < '2026-02-25' AND channel = 'web'",
    ],
  ])('platform 7: finds all of %s', async (_, conditions, sql) => {
    const expected = await plain(sql);
    const steps = { firstStep: 20, longestStep: 100, budgetMs: 0 };
    expect(await all(new AuditSearch(test.database), conditions)).toEqual(expected);
    expect(await all(new AuditSearch(test.database, { ...steps, narrow: 0 }), conditions)).toEqual(expected);
    expect(await all(new AuditSearch(test.database, { ...steps, narrow: 400 }), conditions)).toEqual(
      expected,
    );
  });

  it('platform 7: stops when its time is up, with the place from which to go on', async () => {
    const search = new AuditSearch(test.database, {
      narrow: 0,
      firstStep: 100,
      longestStep: 100,
      budgetMs: 0,
    });
    const { rows, searchedTo } = await search.page({ outcome: 'failed', channel: 'console' }, null, 50);
    expect(rows).toEqual([]);
    // Along the index of its outcome there is nothing beyond.
    expect(searchedTo).toBeNull();
    const along = await search.page({ operation: 'flag.%', actor: 'nobody%' }, null, 50);
    expect(along.rows).toEqual([]);
    expect(along.searchedTo).toMatchObject({ at: expect.stringMatching(/^2026-02-/) });
  });
});
