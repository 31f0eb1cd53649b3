import { Redis } from 'ioredis';
import type { Job, JobOutcome } from '#libs/kernel/ports/jobs.js';
import { TestDatabase } from '../../test/support/test-database.js';
import { type DeadJob, HopelessJob, JobQueues, type JobRules } from './job-queues.js';
import { connectQueues, migrateQueueSchema } from './queue-connection.js';
import { RedisServer, redisBinary } from './testing/redis-server.js';

interface Backend {
  connect(): JobQueues;
  /** Loses every job. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

const quiet = (): void => undefined;

const backends: Record<string, () => Promise<Backend>> = {
  PostgreSQL: async () => {
    const test = await TestDatabase.start();
    await migrateQueueSchema(test.url);
    await migrateQueueSchema(test.url);
    return {
      connect: () =>
        new JobQueues(connectQueues({ directDatabaseUrl: test.url, redisUrl: null, onError: quiet }), quiet),
      empty: async () => {
        const tables = await test.database.query<{ name: string }>(
          "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename NOT LIKE '%migration%'",
        );
        await test.database.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      },
      stop: () => test.stop(),
    };
  },
};

const binary = redisBinary();
if (binary) {
  backends.Redis = async () => {
    const server = await RedisServer.start(binary);
    return {
      connect: () =>
        new JobQueues(connectQueues({ directDatabaseUrl: '', redisUrl: server.url, onError: quiet }), quiet),
      empty: async () => {
        const client = new Redis(server.url);
        await client.flushall();
        await client.quit();
      },
      stop: () => server.stop(),
    };
  };
} else {
  process.stderr.write(
    'Left out: the contract of jobs on Redis, because no redis-server is installed here.\n',
  );
}

const rules: JobRules = { attempts: 3, backoffMs: 10, timeoutMs: 2_000 };

describe.each(Object.keys(backends))('JobQueues on %s', (name) => {
  let backend: Backend;
  let queues: JobQueues;
  let dead: DeadJob[];

  beforeAll(async () => {
    backend = await backends[name]!();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    await backend.empty();
    queues = backend.connect();
    dead = [];
    // Connections are made in the background; the first command of a producer must not find none.
    await until(async () =>
      queues.describe().then(
        () => true,
        () => false,
      ),
    );
  });
  afterEach(() => queues.close(2_000));

  const work = (queue: string, run: (job: Job) => Promise<JobOutcome>, concurrency = 4): void =>
    queues.work(queue, {
      concurrency,
      rulesOf: (job) => (job === 'unknown' ? null : rules),
      run,
      died: async (job) => {
        dead.push(job);
      },
    });

  it('runs a job with its data, once', async () => {
    const seen: Job[] = [];
    work('mail', async (job) => void seen.push(job));
    await queues.add({ queue: 'mail', id: 'mail_1', name: 'send', data: { messageId: 'm', n: 1 } });
    await until(() => seen.length > 0);
    await pause(100);
    expect(seen).toEqual([{ id: 'mail_1', name: 'send', data: { messageId: 'm', n: 1 }, attempt: 1 }]);
    expect(await queues.counts('mail')).toEqual({ waiting: 0, delayed: 0, active: 0 });
  });

  it('ignores an id that still exists, and takes it again when it is gone', async () => {
    const job = { queue: 'mail', id: 'same', name: 'send', data: { n: 1 } };
    await queues.add(job, job);
    await queues.add({ ...job, data: { n: 2 } });
    expect((await queues.counts('mail')).waiting).toBe(1);
    const seen: Job[] = [];
    work('mail', async (given) => void seen.push(given));
    await until(() => seen.length === 1);
    await until(async () => (await queues.counts('mail')).active === 0);
    await queues.add({ ...job, data: { n: 3 } });
    await until(() => seen.length === 2);
    expect(seen.map(({ data }) => data.n)).toEqual([1, 3]);
  });

  it('waits for notBefore', async () => {
    const notBefore = new Date(Date.now() + 400);
    let ranAt = 0;
    work('mail', async () => {
      ranAt = Date.now();
      return undefined;
    });
    await queues.add({ queue: 'mail', id: 'later', name: 'send', data: {}, notBefore });
    expect((await queues.counts('mail')).delayed).toBe(1);
    expect((await queues.list('mail', 'delayed', 0, 10))[0]?.id).toBe('later');
    await until(() => ranAt > 0);
    expect(ranAt).toBeGreaterThanOrEqual(notBefore.getTime() - 20);
  });

  it('tries again after a failure, and tells of the job once its attempts are used up', async () => {
    const attempts: number[] = [];
    work('mail', async (job) => {
      attempts.push(job.attempt);
      throw new Error('the mail server says no');
    });
    await queues.add({ queue: 'mail', id: 'failing', name: 'send', data: { n: 7 } });
    await until(() => dead.length > 0);
    expect(attempts).toEqual([1, 2, 3]);
    expect(dead[0]).toMatchObject({
      queue: 'mail',
      id: 'failing',
      name: 'send',
      data: { n: 7 },
      attempts: 3,
    });
    expect(dead[0]!.error.message).toBe('the mail server says no');
    await until(async () => Object.values(await queues.counts('mail')).every((count) => count === 0));
  });

  it('gives up at once on a job that no retry can mend, and on a name that nobody knows', async () => {
    let runs = 0;
    work('mail', async () => {
      runs += 1;
      throw new HopelessJob('the payload does not parse');
    });
    await queues.add(
      { queue: 'mail', id: 'hopeless', name: 'send', data: {} },
      { queue: 'mail', id: 'nameless', name: 'unknown', data: {} },
    );
    await until(() => new Set(dead.map(({ id }) => id)).size === 2);
    expect(runs).toBe(1);
  });

  it('moves a job that asks for it to a later time and uses up no attempt', async () => {
    const attempts: number[] = [];
    work('mail', async (job) => {
      attempts.push(job.attempt);
      return attempts.length < 6 ? { again: new Date(Date.now() + 20) } : undefined;
    });
    await queues.add({ queue: 'mail', id: 'patient', name: 'send', data: {} });
    await until(() => attempts.length === 6);
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1]);
    expect(dead).toEqual([]);
  });

  it('cuts a job that runs too long', async () => {
    queues.work('slow', {
      concurrency: 1,
      rulesOf: () => ({ attempts: 1, backoffMs: 0, timeoutMs: 50 }),
      run: () => pause(1_000).then(() => undefined),
      died: async (job) => {
        dead.push(job);
      },
    });
    await queues.add({ queue: 'slow', id: 'slow_1', name: 'sleep', data: {} });
    await until(() => dead.length > 0);
    expect(dead[0]!.error.message).toBe('The job ran longer than 0.05 s.');
  });

  it('removes a job that waits', async () => {
    await queues.add({ queue: 'mail', id: 'gone', name: 'send', data: {} });
    await queues.remove('mail', 'gone');
    expect((await queues.counts('mail')).waiting).toBe(0);
  });

  it('repeats a schedule once an interval, with two workers too, and tells its mark', async () => {
    const other = backend.connect();
    let ticks = 0;
    const tick = async (): Promise<JobOutcome> => {
      ticks += 1;
      return undefined;
    };
    work('maintenance', tick);
    other.work('maintenance', {
      concurrency: 1,
      rulesOf: () => rules,
      run: tick,
      died: async () => undefined,
    });
    for (const each of [queues, other, queues]) {
      await each.schedule('maintenance', 'sweep', 'sweep', { ms: 300 }, { epoch: 'e1' });
    }
    await pause(1_300);
    await other.close(1_000);
    expect(ticks).toBeGreaterThanOrEqual(2);
    expect(ticks).toBeLessThanOrEqual(6);
    expect(await queues.scheduleData('maintenance', 'sweep')).toEqual({ epoch: 'e1' });
    expect(await queues.schedules('maintenance')).toEqual([
      expect.objectContaining({ id: 'sweep', name: 'sweep', when: 'every 0.3 s' }),
    ]);
    await backend.empty();
    expect(await queues.scheduleData('maintenance', 'sweep')).toBeNull();
  });

  it('takes jobs again after the backend lost everything', async () => {
    const seen: string[] = [];
    work('mail', async (job) => void seen.push(job.id));
    await queues.add({ queue: 'mail', id: 'before', name: 'send', data: {} });
    await until(() => seen.length === 1);
    await backend.empty();
    await queues.add({ queue: 'mail', id: 'after', name: 'send', data: {} });
    await until(() => seen.length === 2, 8_000);
    expect(seen).toEqual(['before', 'after']);
  });

  it('empties the backend of jobs and schedules, and goes on', async () => {
    const seen: string[] = [];
    await queues.schedule('mail', 'sweep', 'sweep', { ms: 60_000 });
    await queues.add(
      { queue: 'mail', id: 'now', name: 'send', data: {} },
      { queue: 'mail', id: 'later', name: 'send', data: {}, notBefore: new Date(Date.now() + 60_000) },
    );
    await queues.empty();
    expect(await queues.counts('mail')).toEqual({ waiting: 0, delayed: 0, active: 0 });
    expect(await queues.schedules('mail')).toEqual([]);
    work('mail', async (job) => void seen.push(job.id));
    await queues.add({ queue: 'mail', id: 'now', name: 'send', data: {} });
    await until(() => seen.length === 1);
  });

  it('refuses ids with a colon, of digits alone, and empty ones', async () => {
    for (const id of ['a:b', '42', '', 'ä']) {
      await expect(queues.add({ queue: 'mail', id, name: 'send', data: {} })).rejects.toThrow('is no job id');
    }
  });

  it('lets a running job end before it closes', async () => {
    let ended = false;
    let begun = false;
    work('mail', async () => {
      begun = true;
      await pause(300);
      ended = true;
      return undefined;
    });
    await queues.add({ queue: 'mail', id: 'running', name: 'send', data: {} });
    await until(() => begun);
    await queues.close(2_000);
    expect(ended).toBe(true);
  });
});

if (binary) {
  it('warns of a Redis that may drop keys', async () => {
    const server = await RedisServer.start(binary);
    const queues = new JobQueues(
      connectQueues({ directDatabaseUrl: '', redisUrl: server.url, onError: quiet }),
      quiet,
    );
    const client = new Redis(server.url);
    await until(() =>
      queues.describe().then(
        () => true,
        () => false,
      ),
    );
    expect((await queues.describe()).warning).toBeNull();
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await queues.describe()).warning).toBe(
      'Set maxmemory-policy to noeviction: with allkeys-lru jobs may vanish.',
    );
    await client.quit();
    await queues.close(1_000);
    await server.stop();
  });
}

async function until(condition: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It did not happen in time.');
    await pause(20);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
