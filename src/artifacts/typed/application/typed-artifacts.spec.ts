import { TestDatabase } from '../../../../test/support/test-database.js';
import { PER_PROJECT, PER_THREAD } from '../domain/limits.js';
import { LINE, TypedRig } from '../testing/typed-rig.js';
import { newestOfThread } from './queries/list-typed-artifacts.js';
import { WhenPersonDeleted } from './reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './reactions/when-project-deleted.js';

let test: TestDatabase;
let rig: TypedRig;

beforeAll(async () => {
  test = await TestDatabase.start({ pool: 12 });
});
afterAll(() => test.stop());
beforeEach(() => {
  rig = new TypedRig(test.database);
});

const event = (fields: object) => fields as never;

describe('storing a typed artifact', () => {
  it('artifacts 8.1: answers its number, turn and address, and tells audit, listeners and pages', async () => {
    const made = await rig.produce({ title: '  Revenue ', turnIndex: 3 });
    expect(made).toEqual({
      success: true,
      id: 1,
      type: 'line_chart',
      title: 'Revenue',
      turnIndex: 3,
      createdAt: '2026-01-05T09:00:00.000Z',
      url: `https://loupe.example.com/projects/${rig.projectId}/artifacts/charts/1`,
    });
    expect(rig.audit.entries).toMatchObject([
      { operation: 'typed_artifact.created', subjectType: 'typed_artifact', subjectId: '1' },
    ]);
    expect(JSON.stringify(rig.audit.entries[0]!.context)).not.toContain('EU');
    expect(rig.outbox.events).toMatchObject([
      { type: 'TypedArtifactProduced', projectId: rig.projectId, payload: { id: 1, type: 'line_chart' } },
    ]);
    expect(rig.live.sent).toEqual([
      { topic: `project:${rig.projectId}:artifacts`, type: 'typed', subjectId: '1' },
    ]);
  });

  it('artifacts 4: the turn is the one given, else the last one of the conversation, else the first', async () => {
    expect((await rig.produce()).turnIndex).toBe(1);
    expect((await rig.produce({ turnIndex: 7 })).turnIndex).toBe(7);
    expect((await rig.produce()).turnIndex).toBe(7);
    expect((await rig.produce({ turnIndex: 0 })).turnIndex).toBe(0);
    expect((await rig.produce({ conversation: 'another' })).turnIndex).toBe(1);
  });

  it('artifacts 15.52: without a conversation nothing is stored', async () => {
    await expect(rig.produce({ conversation: null })).rejects.toThrow(
      'This connection names no conversation. Connect through loupe mcp, or send a Loupe-Session-Id header.',
    );
    expect((await rig.charts.execute(rig.person(), everything())).total).toBe(0);
  });

  it('names everything that is wrong at once, and stores nothing', async () => {
    const refused = rig.produce({
      type: 'pie',
      title: 'two\nlines',
      description: 'd'.repeat(1001),
      turnIndex: 100_001,
    });
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      detail: { argument: 'type' },
      message: [
        'type must be one of line_chart, area_chart, bar_chart, scatter_chart, pie_chart, table, stat.',
        'title must be one line of at most 200 characters.',
        'description has 1001 characters; the limit is 1000.',
        'turnIndex must be between 0 and 100000.',
      ].join('\n'),
    });
    expect(rig.outbox.events).toEqual([]);
  });

  it('artifacts 15.53: a payload that does not fit is refused with the pointer and the address of the schema', async () => {
    const payload = {
      series: [
        {
          name: 'EU',
          points: [
            { x: 'a', y: 1 },
            { x: 'b', y: 'much' },
          ],
        },
      ],
    };
    await expect(rig.produce({ payload })).rejects.toThrow(
      'payload does not fit line_chart: /series/0/points/1/y must be a number or null. Schema: https://loupe.example.com/schemas/typed-artifacts/line_chart.json',
    );
    const many = { series: Array.from({ length: 21 }, () => LINE.series[0]) };
    await expect(rig.produce({ payload: many })).rejects.toThrow(
      'payload does not fit line_chart: /series must hold 1 to 20 entries. Schema:',
    );
    expect(rig.outbox.events).toEqual([]);
  });

  it('artifacts 4: a payload above 262,144 bytes is refused with its size', async () => {
    const rows = Array.from({ length: 140 }, () => ({ a: 'ü'.repeat(1000) }));
    const payload = { columns: [{ key: 'a', label: 'A' }], rows };
    await expect(rig.produce({ type: 'table', payload })).rejects.toThrow(
      /^payload has \d{6} bytes; the limit is 262144\. Send fewer points or rows\.$/,
    );
  });

  it('artifacts 12: needs contribute; a stranger learns nothing', async () => {
    await expect(rig.produce({}, rig.agent(rig.viewerId))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(rig.produce({}, rig.agent(rig.strangerId))).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('artifacts 12: a refused write is recorded, what was not found is not', async () => {
    await expect(rig.produce({ type: 'pie' })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(rig.produce({ conversation: null })).rejects.toMatchObject({ code: 'no_conversation' });
    await expect(rig.produce({}, rig.agent(rig.viewerId))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(rig.produce({}, rig.agent(rig.strangerId))).rejects.toMatchObject({ kind: 'not-found' });
    await expect(
      rig.deleteArtifact.execute(rig.person(), { projectId: rig.projectId, id: 5 }),
    ).rejects.toMatchObject({ kind: 'not-found' });
    expect(rig.audit.entries.map(({ operation, outcome, context }) => [operation, outcome, context])).toEqual(
      [
        ['typed_artifact.created', 'refused', { code: 'invalid' }],
        ['typed_artifact.created', 'refused', { code: 'no_conversation' }],
        ['typed_artifact.created', 'refused', { code: 'forbidden' }],
      ],
    );
  });

  it('artifacts 3.5: so many an hour for a person', async () => {
    rig.flags.set('artifacts.typed_per_hour', '2');
    await rig.produce();
    await rig.produce({ conversation: 'b' });
    await expect(rig.produce({ conversation: 'c' })).rejects.toMatchObject({
      kind: 'rate-limited',
      message: expect.stringMatching(
        /^You stored 2 typed artifacts in the last hour; the limit is 2\. Try again in \d+ minutes\.$/,
      ),
    });
  });

  it('artifacts 4: numbers count without a gap and without a repeat when many write at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, index) => rig.produce({ conversation: `talk-${index % 3}` })),
    );
    expect(made.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 1),
    );
    const { threads } = await rig.threads.execute(rig.person(), { projectId: rig.projectId });
    expect(threads.map(({ count }) => count)).toEqual([8, 8, 8]);
  });

  it('artifacts 4: a conversation holds 200 at most, also when the last place is wanted twice', async () => {
    await rig.produce();
    await test.database.query('UPDATE artifacts.typed_thread SET artifact_count = $2 WHERE project_id = $1', [
      rig.projectId,
      PER_THREAD - 1,
    ]);
    const both = await Promise.allSettled([rig.produce(), rig.produce()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(rig.produce()).rejects.toMatchObject({
      code: 'limit',
      message: expect.stringContaining('This conversation holds 200 typed artifacts; the limit is 200.'),
    });
    expect((await rig.produce({ conversation: 'fresh' })).id).toBe(3);
  });

  it('artifacts 4: a project holds 20,000 at most, and room that was made counts again', async () => {
    const { id } = await rig.produce();
    await test.database.query('UPDATE artifacts.typed_count SET artifact_count = $2 WHERE project_id = $1', [
      rig.projectId,
      PER_PROJECT,
    ]);
    await expect(rig.produce()).rejects.toMatchObject({ code: 'limit' });
    await rig.deleteArtifact.execute(rig.person(), { projectId: rig.projectId, id });
    expect((await rig.produce()).id).toBe(2);
  });
});

function everything(more: object = {}) {
  return { projectId: rig.projectId, type: null, threadId: null, text: null, page: null, ...more };
}

describe("reading one's own conversation", () => {
  const newest = (given: { type?: string | null; limit?: unknown; conversation?: string | null } = {}) =>
    rig.list.newest(rig.agent(), {
      projectId: rig.projectId,
      conversation: 'talk',
      type: null,
      limit: 20,
      ...given,
    });

  it('artifacts 15.49: lists nothing at first, and nothing without a conversation', async () => {
    expect(await newest()).toEqual([]);
    await rig.produce();
    expect(await newest({ conversation: null })).toEqual([]);
  });

  it('artifacts 15.50: newest first, by type, so many as asked', async () => {
    await rig.produce({ title: 'First' });
    await rig.produce({ type: 'table', payload: { columns: [{ key: 'a', label: 'A' }], rows: [] } });
    expect((await newest()).map(({ id, type, title }) => [id, type, title])).toEqual([
      [2, 'table', null],
      [1, 'line_chart', 'First'],
    ]);
    expect((await newest({ type: 'line_chart' })).map(({ id }) => id)).toEqual([1]);
    expect(await newest({ type: 'nothing of the kind' })).toEqual([]);
    expect((await newest({ limit: 1 })).map(({ id }) => id)).toEqual([2]);
    for (const limit of [0, 101, 1.5, -1, '5', null]) {
      await expect(newest({ limit })).rejects.toThrow('limit must be between 1 and 100.');
    }
  });

  it('artifacts 8.2: pages, and a type that is none is refused', async () => {
    for (let made = 0; made < 5; made += 1) await rig.produce();
    const page = (more: object) =>
      rig.list.execute(rig.agent(), { projectId: rig.projectId, conversation: 'talk', ...more });
    expect(await page({ perPage: 2 })).toMatchObject({ page: 1, perPage: 2, hasMore: true });
    expect((await page({ perPage: 2, page: 3 })).artifacts.map(({ id }) => id)).toEqual([1]);
    expect(await page({ page: 9 })).toMatchObject({ artifacts: [], hasMore: false });
    expect(await page({ perPage: 500 })).toMatchObject({ perPage: 100 });
    await expect(page({ type: 'pie' })).rejects.toThrow('type must be one of line_chart,');
  });

  it('artifacts 15.51: the payload comes back as it was sent, keys in their order', async () => {
    const payloadText =
      '{"rows":[{"b":"x","2024":1,"2023":2.0}],"columns":[{"key":"2024","label":"n"},{"label":"m","key":"2023"},{"key":"b","label":"B"}]}';
    const { id } = await rig.produce({ type: 'table', payload: JSON.parse(payloadText), payloadText });
    const found = await rig.get.execute(rig.agent(), { projectId: rig.projectId, conversation: 'talk', id });
    expect(found).toMatchObject({ id, payloadText, title: null, description: null });
  });

  it('artifacts 15.51: another conversation, person or project has nothing under that number', async () => {
    const { id } = await rig.produce();
    const get = (given: object, actor = rig.agent()) =>
      rig.get.execute(actor, { projectId: rig.projectId, conversation: 'talk', id, ...given });
    expect(await get({})).not.toBeNull();
    expect(await get({ conversation: 'other' })).toBeNull();
    expect(await get({ conversation: null })).toBeNull();
    expect(await get({ id: id + 1 })).toBeNull();
    expect(await get({ id: 1e300 })).toBeNull();
    expect(await get({}, rig.agent(rig.viewerId))).toBeNull();
    const elsewhere = rig.ids.next();
    rig.access.add(elsewhere, rig.ownerId);
    const there = { ...rig.agent(), boundProjectId: elsewhere, projectId: elsewhere };
    expect(await get({ projectId: elsewhere }, there)).toBeNull();
    await expect(get({}, rig.agent(rig.strangerId))).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('charts for people', () => {
  it('artifacts 11: everybody with read sees all conversations, newest first, with filters', async () => {
    await rig.produce({ title: 'Revenue of the year' });
    await rig.produce({
      title: 'Costs',
      type: 'pie_chart',
      payload: { slices: [{ label: 'a', value: 1 }] },
      conversation: 'second',
    });
    await rig.produce({ conversation: 'second' });
    const charts = async (more: object = {}) =>
      await rig.charts.execute(rig.person(rig.viewerId), everything(more));
    const all = await charts();
    expect(all.charts.map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(all).toMatchObject({ page: 1, perPage: 24, hasMore: false, total: 3 });
    expect(all.threads).toHaveLength(2);
    expect(all.threads[0]).toMatchObject({ client: 'Plan Writer', run: null });
    expect(JSON.stringify(all)).not.toContain('talk');
    expect((await charts({ type: 'pie_chart' })).charts.map(({ id }) => id)).toEqual([2]);
    expect((await charts({ threadId: all.charts[2]!.threadId })).charts.map(({ id }) => id)).toEqual([1]);
    expect((await charts({ text: 'REVENUE' })).charts.map(({ id }) => id)).toEqual([1]);
    expect((await charts({ text: '%' })).charts).toEqual([]);
    for (const odd of [{ type: 'x' }, { threadId: 'x' }, { text: '\0' }]) {
      expect(await charts(odd)).toMatchObject({ charts: [], total: 0 });
    }
    await expect(rig.charts.execute(rig.person(rig.strangerId), everything())).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('artifacts 11: 24 a page', async () => {
    await Promise.all(Array.from({ length: 25 }, () => rig.produce()));
    expect(await rig.charts.execute(rig.person(), everything())).toMatchObject({ hasMore: true, total: 25 });
    const second = await rig.charts.execute(rig.person(), everything({ page: 2 }));
    expect(second.charts.map(({ id }) => id)).toEqual([1]);
  });

  it('artifacts 11: a chart has its table, its summary, its conversation and its neighbours there', async () => {
    await rig.produce();
    await rig.produce({ conversation: 'other' });
    await rig.produce({ title: 'Here', description: 'What it shows' });
    await rig.produce();
    const chart = await rig.chart.execute(rig.person(rig.viewerId), { projectId: rig.projectId, id: 3 });
    expect(chart).toMatchObject({
      id: 3,
      title: 'Here',
      description: 'What it shows',
      previous: 1,
      next: 4,
      drawable: true,
      canDelete: false,
      payload: LINE,
      createdBy: { id: rig.ownerId },
      thread: { count: 3, client: 'Plan Writer' },
      summary: 'Line chart of EU, 2 categories from Mon to Tue. Values from 1 to 1, 1 unknown.',
      pictureUrl: `/api/projects/${rig.projectId}/charts/3.svg`,
    });
    expect(chart.data.rows).toEqual([
      { x: 'Mon', s0: 1 },
      { x: 'Tue', s0: null },
    ]);
    await expect(rig.chart.execute(rig.person(), { projectId: rig.projectId, id: 9 })).rejects.toThrow(
      'Chart not found or not accessible.',
    );
    await expect(
      rig.chart.execute(rig.person(rig.strangerId), { projectId: rig.projectId, id: 3 }),
    ).rejects.toThrow('Chart not found or not accessible.');
  });

  it('files have names that say what they are', async () => {
    await rig.produce({ title: 'Ümsatz: EU / "US"' });
    await rig.produce();
    const { fileName, content } = await rig.file.csv(rig.person(), { projectId: rig.projectId, id: 1 });
    expect(fileName).toBe('umsatz-eu-us-1.csv');
    expect(content).toBe('\uFEFFx,EU\r\nMon,1\r\nTue,\r\n');
    const picture = { projectId: rig.projectId, id: 2, theme: 'light', size: 'card', alone: true } as const;
    expect((await rig.file.svg(rig.person(), picture)).fileName).toBe('line-chart-2.svg');
    const stranger = rig.person(rig.strangerId);
    await expect(rig.file.svg(stranger, picture)).rejects.toThrow('Chart not found or not accessible.');
    await rig.deleteArtifact.execute(rig.person(), { projectId: rig.projectId, id: 2 });
    await expect(rig.file.svg(rig.person(), picture)).rejects.toThrow('Chart not found or not accessible.');
  });

  it('artifacts 4: deleting needs contribute, is told, and the number is never given again', async () => {
    const { id } = await rig.produce();
    await expect(
      rig.deleteArtifact.execute(rig.person(rig.viewerId), { projectId: rig.projectId, id }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    await rig.deleteArtifact.execute(rig.person(), { projectId: rig.projectId, id });
    expect(rig.outbox.events.at(-1)).toMatchObject({ type: 'TypedArtifactDeleted', payload: { id } });
    expect(rig.audit.entries.at(-1)).toMatchObject({ operation: 'typed_artifact.deleted', subjectId: '1' });
    await expect(
      rig.deleteArtifact.execute(rig.person(), { projectId: rig.projectId, id }),
    ).rejects.toMatchObject({ kind: 'not-found' });
    expect((await rig.produce()).id).toBe(2);
    expect((await rig.threads.execute(rig.person(), { projectId: rig.projectId })).threads).toMatchObject([
      { count: 1 },
    ]);
  });
});

describe('what happens elsewhere', () => {
  it('a deleted project takes its charts and conversations along, and no others', async () => {
    const kept = new TypedRig(test.database);
    await kept.produce();
    await rig.produce();
    const reaction = new WhenProjectDeleted(rig.store);
    await reaction.handle(event({ projectId: rig.projectId }));
    await reaction.handle(event({ projectId: rig.projectId }));
    for (const table of ['typed_artifact', 'typed_thread', 'typed_count']) {
      const rows = await test.database.query(`SELECT 1 FROM artifacts.${table} WHERE project_id = ANY($1)`, [
        [rig.projectId, kept.projectId],
      ]);
      expect({ table, rows: rows.length }).toEqual({ table, rows: 1 });
    }
  });

  it('artifacts 13: of a deleted person the charts stay, without the name', async () => {
    await rig.produce();
    await new WhenPersonDeleted(rig.store).handle(event({ personId: rig.ownerId }));
    const chart = await rig.chart.execute(rig.person(rig.viewerId), { projectId: rig.projectId, id: 1 });
    expect(chart.createdBy).toEqual({ id: null, displayName: 'Deleted person' });
    expect((await rig.threads.execute(rig.person(), { projectId: rig.projectId })).threads).toHaveLength(1);
  });
});

describe('with many rows', () => {
  it('artifacts 14: the lists of a conversation follow its index and read no payload', async () => {
    await rig.produce();
    await test.database.query(
      `INSERT INTO artifacts.typed_thread (id, project_id, person_id, session_key, created_at, last_at)
       SELECT gen_random_uuid(), $1, $2, 'many-' || n, now(), now() FROM generate_series(1, 400) n`,
      [rig.projectId, rig.ownerId],
    );
    await test.database.query(
      `INSERT INTO artifacts.typed_artifact (project_id, id, thread_id, type, turn_index, payload, created_at)
       SELECT $1, 1000 + row_number() OVER (), t.id, CASE WHEN n % 2 = 0 THEN 'table' ELSE 'stat' END, 1, '{}', now()
         FROM artifacts.typed_thread t, generate_series(1, 50) n WHERE t.project_id = $1`,
      [rig.projectId],
    );
    await test.database.query('ANALYZE artifacts.typed_artifact, artifacts.typed_thread');
    for (const [ofType, index] of [
      [false, 'typed_artifact_thread'],
      [true, 'typed_artifact_thread_type'],
    ] as const) {
      const values = [rig.projectId, rig.ownerId, 'many-7', 20, 0, ...(ofType ? ['stat'] : [])];
      const plan = await test.database.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (VERBOSE) ${newestOfThread(ofType)}`,
        values,
      );
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      // The few rows of one conversation may be sorted; what counts is that no other row is touched.
      expect(text).toMatch(new RegExp(`Index Scan (using|on) ${index} `));
      expect(text).toContain('typed_thread_key');
      expect(text).not.toMatch(/Seq Scan|payload/);
    }
  });
});
