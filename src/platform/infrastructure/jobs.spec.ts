import { Redis } from 'ioredis';
import { type Job, type JobHandler, Jobs } from '#libs/kernel/ports/jobs.js';
import { RedisServer, redisBinary } from '#libs/messaging/testing/redis-server.js';
import { Database } from '#libs/persistence/database.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { pause, until } from '../../../test/support/until.js';
import { RetryDeadJob } from '../application/commands/retry-dead-job.js';
import { JobSources } from '../application/ports/job-sources.js';
import { QueueView } from '../application/ports/queue-view.js';
import { ADMIN_ID, type PlatformApp, startPlatform } from '../testing/platform-app.js';
import { OutboxJobs } from './outbox-jobs.js';
import { QueueUpkeep } from './queue-upkeep.js';

const admin = { kind: 'person', personId: ADMIN_ID, sessionId: 's', isAdmin: true } as const;

const binary = redisBinary();
const kinds = binary ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'];
if (!binary) {
  process.stderr.write(
    'Left out: jobs of the product on Redis, because no redis-server is installed here.\n',
  );
}

describe.each(kinds)('Jobs of the product on %s', (kind) => {
  let test: TestDatabase;
  let redis: RedisServer | undefined;
  const running: PlatformApp[] = [];

  beforeAll(async () => {
    redis = kind === 'Redis' ? await RedisServer.start(binary!) : undefined;
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    test = await TestDatabase.start();
    if (redis) await withRedis((client) => client.flushall());
  });
  afterEach(async () => {
    for (const app of running.splice(0)) await app.stop();
    await test.stop();
  });

  const withRedis = async (work: (client: Redis) => Promise<unknown>): Promise<void> => {
    const client = new Redis(redis!.url);
    await work(client);
    await client.quit();
  };

  const start = async (role: 'web' | 'worker', handle?: JobHandler): Promise<PlatformApp> => {
    const app = await startPlatform(test.url, {
      role,
      redisUrl: redis?.url,
      before: (made) => {
        if (!handle) return;
        made.get(Jobs, { strict: false }).process('cards', 'work', handle, { attempts: 4, backoffMs: 20 });
      },
    });
    running.push(app);
    return app;
  };

  const empty = async (): Promise<void> => {
    if (redis) return withRedis((client) => client.flushall());
    const tables = await test.database.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename NOT LIKE '%migration%'",
    );
    await test.database.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
  };

  it('adds a job with the commit of the change, and never after a rollback', async () => {
    const seen: string[] = [];
    const web = await start('web');
    await start('worker', async (job) => void seen.push(job.id));
    const run = (work: () => Promise<void>): Promise<void> => web.get(Database).run(work);
    await run(async () => {
      await web.get(Jobs).add('cards', 'job_a', 'work', { n: 1 });
      await pause(150);
      expect(seen).toEqual([]);
    });
    await until(() => seen.length === 1);
    await run(async () => {
      await web.get(Jobs).add('cards', 'job_b', 'work', { n: 1 });
      throw new Error('refused');
    }).catch(() => undefined);
    await pause(150);
    expect(seen).toEqual(['job_a']);
    await until(
      async () =>
        (await test.database.query('SELECT 1 FROM platform.job_outbox WHERE done_at IS NULL')).length === 0,
    );
  });

  it('hands over what a process left behind, without running it twice', async () => {
    const seen: string[] = [];
    const app = await start('worker', async (job) => void seen.push(job.id));
    await test.database.query(
      `INSERT INTO platform.job_outbox (id, queue, job_id, name, data, created_at) VALUES
       ('0195c0de-0000-7000-8000-000000000001', 'cards', 'left_1', 'work', '{}', now() - interval '6 seconds'),
       ('0195c0de-0000-7000-8000-000000000002', 'cards', 'fresh_1', 'work', '{}', now())`,
    );
    const swept = await Promise.all([app.get(OutboxJobs).sweep(), app.get(OutboxJobs).sweep()]);
    expect(swept[0]! + swept[1]!).toBe(1);
    await until(() => seen.length === 1);
    expect(seen).toEqual(['left_1']);
  });

  it('platform 19.17: a job that always fails is listed after 4 tries, and Retry runs it again', async () => {
    const attempts: Job[] = [];
    let healthy = false;
    const app = await start('worker', async (job) => {
      attempts.push(job);
      if (!healthy) throw new Error('it never works');
      return undefined;
    });
    await app.get(Jobs).add('cards', 'bad_1', 'work', { cardId: 'c' });
    await until(async () => (await test.database.query('SELECT 1 FROM platform.dead_jobs')).length > 0);
    await pause(100);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    const [dead] = await test.database.query<{ id: string }>(
      'SELECT id, job_id, attempts, error, data FROM platform.dead_jobs',
    );
    expect(dead).toMatchObject({
      job_id: 'bad_1',
      attempts: 4,
      error: 'it never works',
      data: { cardId: 'c' },
    });
    healthy = true;
    await app.get(RetryDeadJob).execute(admin, { id: dead!.id });
    await until(() => attempts.length === 5);
    expect(attempts[4]).toMatchObject({ id: 'bad_1_r1', data: { cardId: 'c' }, attempt: 1 });
  });

  it('platform 19.28: a queue that lost everything has its jobs and schedules back within 15 s', async () => {
    const seen = new Set<string>();
    const todo = new Set<string>(['row_1', 'row_2', 'row_3']);
    let begun = false;
    const app = await start('worker', async (job) => {
      if (!begun) return { again: new Date(Date.now() + 60_000) };
      seen.add(job.id);
      todo.delete(job.id);
      return undefined;
    });
    app.get(JobSources).register({
      name: 'rows of the test',
      async *pages() {
        yield [...todo].map((id) => ({ queue: 'cards', id, name: 'work', data: { id } }));
      },
    });
    const upkeep = app.get(QueueUpkeep);
    await until(() => upkeep.epochIsRight(), 10_000);
    const before = await upkeep.epoch();
    const schedules = async () => (await app.get(QueueView).schedules()).map(({ id }) => id).sort();
    const known = await schedules();
    for (const id of todo) await app.get(Jobs).add('cards', id, 'work', { id });
    await pause(300);
    begun = true;
    await empty();
    expect(await upkeep.epoch()).toBeNull();
    const start15 = Date.now();
    await until(() => todo.size === 0, 15_000);
    await until(() => upkeep.epochIsRight(), 15_000 - (Date.now() - start15));
    expect([...seen].sort()).toEqual(['row_1', 'row_2', 'row_3']);
    expect(await upkeep.epoch()).not.toBe(before);
    expect(known).toContain('reconcile');
    expect(await schedules()).toEqual(known);
  }, 30_000);

  it('lets a running job end when the process is asked to stop', async () => {
    let begun = false;
    let ended = false;
    const app = await start('worker', async () => {
      begun = true;
      await pause(400);
      ended = true;
      return undefined;
    });
    await app.get(Jobs).add('cards', 'long_1', 'work', {});
    await until(() => begun);
    await running.pop()!.stop();
    expect(ended).toBe(true);
  });

  it('a web process takes no jobs', async () => {
    const seen: string[] = [];
    const web = await start('web', async (job) => void seen.push(job.id));
    await web.get(Jobs).add('cards', 'idle_1', 'work', {});
    await pause(400);
    expect(seen).toEqual([]);
  });
});

describe('Jobs while Redis is away', () => {
  if (!binary) {
    it('is left out without a redis-server', () => expect(redisBinary()).toBeNull());
    return;
  }

  it('platform 17: the change commits at once, and its job runs when Redis is back', async () => {
    const test = await TestDatabase.start();
    const redis = await RedisServer.start(binary);
    const seen: string[] = [];
    const app = await startPlatform(test.url, {
      role: 'worker',
      redisUrl: redis.url,
      before: (made) =>
        made
          .get(Jobs, { strict: false })
          .process('cards', 'work', async (job: Job) => void seen.push(job.id)),
    });
    await redis.stop();
    const begun = Date.now();
    await app.get(Database).run(() => app.get(Jobs).add('cards', 'patient_1', 'work', {}));
    expect(Date.now() - begun).toBeLessThan(500);
    await pause(300);
    const back = await RedisServer.start(binary, Number(new URL(redis.url).port));
    await until(() => seen.length === 1, 20_000);
    await app.stop();
    await back.stop();
    await test.stop();
  });
});
