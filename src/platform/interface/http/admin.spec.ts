import request from 'supertest';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { ActorNames } from '../../application/ports/actor-names.js';
import { DeadJobs } from '../../application/ports/dead-jobs.js';
import { OverviewCounters } from '../../application/ports/overview-counters.js';
import { FLAGS } from '../../domain/flag-registry.js';
import { ADMIN_ID, as, PERSON_ID, type PlatformApp, startPlatform } from '../../testing/platform-app.js';

let test: TestDatabase;
let platform: PlatformApp;
const http = () => request(platform.url);
const system = { kind: 'system', jobName: 'test' } as const;

beforeAll(async () => {
  test = await TestDatabase.start();
  platform = await startPlatform(test.url, { role: 'all' });
  platform.get(ActorNames).register({
    personNames: async (ids) => new Map(ids.filter((id) => id === ADMIN_ID).map((id) => [id, 'Ada Admin'])),
    connectionName: async () => 'Agent',
  });
});
afterAll(async () => {
  await platform.stop();
  await test.stop();
});

const adminRoutes: [string, string][] = [
  ['GET', '/api/admin/flags'],
  ['PUT', '/api/admin/flags/board.enabled'],
  ['DELETE', '/api/admin/flags/board.enabled'],
  ['GET', '/api/admin/audit'],
  ['GET', '/api/admin/audit.csv'],
  ['GET', '/api/admin/overview'],
  ['GET', '/api/admin/status'],
  ['GET', '/api/admin/jobs'],
  ['POST', '/api/admin/jobs/retry'],
  ['POST', `/api/admin/jobs/${ADMIN_ID}/retry`],
  ['POST', `/api/admin/jobs/${ADMIN_ID}/discard`],
];

describe('Admin routes', () => {
  it.each(adminRoutes)('platform 19.10: %s %s does not exist for who is no admin', async (method, path) => {
    for (const headers of [{}, as('person')]) {
      const answer = await http()
        [method.toLowerCase() as 'get'](path)
        .set(headers as Record<string, string>)
        .send(method === 'GET' ? undefined : { value: true });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ error: 'not_found', message: 'Not found.' });
    }
    expect(await test.database.query('SELECT * FROM platform.flag_values')).toEqual([]);
  });

  it('refuse a write of an admin without the CSRF token', async () => {
    const answer = await http()
      .put('/api/admin/flags/board.enabled')
      .set({ ...as('admin'), 'Loupe-Csrf-Token': 'x' })
      .send({ value: false });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toBe('csrf');
  });
});

describe('Flags over HTTP', () => {
  it('lists every flag with its bounds, default and value', async () => {
    const { body, status } = await http().get('/api/admin/flags').set(as('admin'));
    expect(status).toBe(200);
    expect(body.flags.map(({ name }: { name: string }) => name)).toEqual(FLAGS.map(({ name }) => name));
    expect(body.flags.find(({ name }: { name: string }) => name === 'rate_limit.api_per_minute')).toEqual({
      name: 'rate_limit.api_per_minute',
      type: 'int',
      context: 'identity',
      description: expect.any(String),
      default: 300,
      value: 300,
      isDefault: true,
      min: 30,
      max: 100_000,
      values: null,
      updatedAt: null,
      updatedBy: null,
      outOfRange: false,
    });
  });

  it('changes a flag, names who did it, and resets it', async () => {
    const set = await http().put('/api/admin/flags/inbox.enabled').set(as('admin')).send({ value: true });
    expect(set.status).toBe(200);
    expect(set.body).toMatchObject({ value: true, isDefault: false, updatedBy: 'Ada Admin' });
    const reset = await http().delete('/api/admin/flags/inbox.enabled').set(as('admin'));
    expect(reset.status).toBe(200);
    expect(reset.body).toMatchObject({ value: false, isDefault: true, updatedAt: null, updatedBy: null });
  });

  it('refuses a value out of bounds with the bounds, and an unknown name', async () => {
    const wrong = await http()
      .put('/api/admin/flags/rate_limit.api_per_minute')
      .set(as('admin'))
      .send({ value: 5 });
    expect(wrong.status).toBe(422);
    expect(wrong.body.fields).toEqual({ value: 'must be a whole number from 30 to 100000' });
    const unknown = await http().put('/api/admin/flags/no.such').set(as('admin')).send({ value: 5 });
    expect(unknown.status).toBe(404);
    expect((await http().delete('/api/admin/flags/no.such').set(as('admin'))).status).toBe(404);
  });

  it('platform 17: lists the row of a flag that is not known any more, and removes it', async () => {
    await test.database.query("INSERT INTO platform.flag_values VALUES ('old.flag', 'x', now(), NULL)");
    const { body } = await http().get('/api/admin/flags').set(as('admin'));
    expect(body.unused).toEqual([{ name: 'old.flag', value: 'x', updatedAt: expect.any(String) }]);
    expect((await http().delete('/api/admin/flags/old.flag').set(as('admin'))).status).toBe(204);
    expect((await http().get('/api/admin/flags').set(as('admin'))).body.unused).toEqual([]);
  });
});

describe('Audit over HTTP', () => {
  const record = (operation: string, context: Record<string, unknown> = {}) =>
    platform.get(Audit).record(system, { operation, context });

  beforeEach(() => test.database.query('TRUNCATE platform.audit_events'));

  it('pages by cursor, newest first, without a gap or a repeat', async () => {
    await Promise.all(Array.from({ length: 120 }, (_, n) => record('test.paged', { n })));
    const seen: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    do {
      const answer: request.Response = await http()
        .get('/api/admin/audit')
        .query(cursor ? { cursor } : {})
        .set(as('admin'));
      seen.push(...answer.body.events.map(({ id }: { id: string }) => id));
      cursor = answer.body.nextCursor;
      pages += 1;
    } while (cursor);
    expect(pages).toBe(3);
    expect(new Set(seen).size).toBe(120);
  });

  it('filters by every field, and takes % and _ as letters', async () => {
    await record('test.one');
    await record('test.two');
    await platform.get(Audit).record(
      { kind: 'person', personId: ADMIN_ID, sessionId: 's', isAdmin: true },
      {
        operation: 'other.three',
        projectId: PERSON_ID,
        subjectType: 'card',
        subjectId: 'c1',
        outcome: 'refused',
      },
    );
    const list = async (query: Record<string, string>) =>
      (await http().get('/api/admin/audit').query(query).set(as('admin'))).body.events.map(
        ({ operation }: { operation: string }) => operation,
      );
    expect((await list({ operation: 'test.' })).sort()).toEqual(['test.one', 'test.two']);
    expect(await list({ operation: 'test_' })).toEqual([]);
    expect(await list({ actor: 'ada' })).toEqual(['other.three']);
    expect(await list({ project: PERSON_ID })).toEqual(['other.three']);
    expect(await list({ subject: 'c1' })).toEqual(['other.three']);
    expect(await list({ outcome: 'refused' })).toEqual(['other.three']);
    expect(await list({ channel: 'web' })).toEqual(['other.three']);
    expect(await list({ from: '2000-01-01T00:00:00Z', to: '2001-01-01T00:00:00Z' })).toEqual([]);
    const wrong = await http()
      .get('/api/admin/audit')
      .query({ project: 'x', from: 'yesterday', channel: 'web' })
      .set(as('admin'));
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.fields)).toEqual(['project', 'from']);
    expect((await http().get('/api/admin/audit?cursor=abc').set(as('admin'))).status).toBe(422);
  });

  it('streams the filtered list as CSV, and marks cells that a spreadsheet would run', async () => {
    await platform
      .get(Audit)
      .record(system, { operation: 'test.csv', subjectId: '=1+1', context: { a: 'x,"y' } });
    await record('other.thing');
    const { text, headers } = await http().get('/api/admin/audit.csv?operation=test.').set(as('admin'));
    const lines = text.trimEnd().split('\r\n');
    expect(headers['content-type']).toContain('text/csv');
    expect(headers['content-disposition']).toContain('attachment');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("'=1+1");
    expect(lines[1]).toContain('"{""a"":""x,\\""y""}"');
  });
});

describe('Jobs over HTTP', () => {
  it('shows a failed job without secrets, retries it once, and tells a second admin so', async () => {
    const ran: string[] = [];
    platform.get(Jobs).process('test-retry', 'work', async (job) => {
      ran.push(job.id);
      return undefined;
    });
    await platform.get(DeadJobs).record({
      queue: 'test-retry',
      jobId: 'work_1',
      name: 'work',
      data: { cardId: 'c' },
      error: 'no route to ada@example.com with token=abcdef',
      stack: 'Error: at postgres://user:pw@host/db',
      attempts: 4,
    });
    const { body } = await http().get('/api/admin/jobs').set(as('admin'));
    expect(body).toMatchObject({ page: 1, hasMore: false });
    const [job] = body.failed;
    expect(job).toMatchObject({ queue: 'test-retry', jobId: 'work_1', attempts: 4, data: { cardId: 'c' } });
    expect(JSON.stringify(job)).not.toMatch(/ada@|abcdef|:pw@/);
    const answers = await Promise.all(
      [1, 2].map(() => http().post(`/api/admin/jobs/${job.id}/retry`).set(as('admin')).send()),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error).toBe('already_handled');
    await until(() => ran.length > 0);
    expect(ran).toEqual(['work_1_r1']);
    expect((await http().get('/api/admin/jobs').set(as('admin'))).body.failed).toEqual([]);
  });

  it('discards a job, and retries all of a queue', async () => {
    const ran: string[] = [];
    platform.get(Jobs).process('test-all', 'work', async (job) => void ran.push(job.id));
    for (const n of [1, 2, 3]) {
      await platform.get(DeadJobs).record({
        queue: 'test-all',
        jobId: `all_${n}`,
        name: 'work',
        data: {},
        error: 'no',
        stack: '',
        attempts: 4,
      });
    }
    const { body } = await http().get('/api/admin/jobs?queue=test-all').set(as('admin'));
    const discarded = body.failed.find(({ jobId }: { jobId: string }) => jobId === 'all_2');
    expect((await http().post(`/api/admin/jobs/${discarded.id}/discard`).set(as('admin'))).status).toBe(200);
    const all = await http().post('/api/admin/jobs/retry').set(as('admin')).send({ queue: 'test-all' });
    expect(all.body).toEqual({ retried: 2 });
    await until(() => ran.length === 2);
    expect(ran.sort()).toEqual(['all_1_r1', 'all_3_r1']);
    const operations = await test.database.query<{ operation: string }>(
      "SELECT operation FROM platform.audit_events WHERE context ->> 'queue' = 'test-all' ORDER BY operation",
    );
    expect(operations.map(({ operation }) => operation)).toEqual([
      'job.discarded',
      'job.retried',
      'job.retried',
    ]);
  });

  it('lists delayed jobs and schedules', async () => {
    await platform
      .get(Jobs)
      .add('test-all', 'later_1', 'work', { n: 1 }, { notBefore: new Date(Date.now() + 60_000) });
    await until(async () => {
      const { body } = await http().get('/api/admin/jobs?tab=delayed').set(as('admin'));
      return body.jobs.some(({ id }: { id: string }) => id === 'later_1');
    });
    const { body } = await http().get('/api/admin/jobs?tab=schedules').set(as('admin'));
    expect(body.schedules.map(({ id }: { id: string }) => id).sort()).toEqual([
      'expire-exports',
      'mail-purge',
      'purge-audit',
      'purge-delivered',
      'reconcile',
    ]);
  });
});

describe('Overview and status', () => {
  it('counts what is registered and answers null for the rest', async () => {
    platform.get(OverviewCounters).register('people', async () => 3);
    const { body } = await http().get('/api/admin/overview').set(as('admin'));
    expect(body).toMatchObject({ people: 3, projects: null, failedJobs: 0, version: expect.any(String) });
    expect(body.queueDepth).toEqual(expect.any(Number));
    expect(Array.isArray(body.failing)).toBe(true);
  });

  it('finds a running instance well', async () => {
    const { body } = await http().get('/api/admin/status').set(as('admin'));
    const states = Object.fromEntries(
      body.checks.map(({ name, state, sentence }: Record<string, string>) => [
        name,
        state === 'ok' ? 'ok' : `${state}: ${sentence}`,
      ]),
    );
    expect(states).toEqual({
      Database: 'ok',
      Migrations: 'ok',
      'Queue backend': 'ok',
      'Signal connection': 'ok',
      Worker: 'ok',
      'Oldest waiting job': 'ok',
      'Failed jobs': 'ok',
      'Event delivery': 'ok',
      'Public address': expect.stringMatching(/^warning: DEFAULT_URI names localhost:3000/),
      'MCP hosts': 'ok',
      'Trusted proxies': 'ok',
      'Blob storage': 'ok',
      'Encryption key': 'ok',
      Clock: 'ok',
      // Without a mail server, which is how a trial runs.
      Mail: 'ok',
    });
  });

  it('says that the key is another one', async () => {
    const row = await test.database.one<{ sealed: string }>('SELECT sealed FROM platform.key_sentinel');
    await test.database.query("UPDATE platform.key_sentinel SET sealed = 'of another key'");
    const { body } = await http().get('/api/admin/status').set(as('admin'));
    expect(body.checks.find(({ name }: { name: string }) => name === 'Encryption key').state).toBe('failed');
    await test.database.query('UPDATE platform.key_sentinel SET sealed = $1', [row!.sealed]);
  });
});

async function until(condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It did not happen in time.');
    await new Promise((done) => setTimeout(done, 25));
  }
}
