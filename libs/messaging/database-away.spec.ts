import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '#libs/persistence/database.js';
import { acquireEmbeddedPostgres, type RunningPostgres } from '#libs/persistence/embedded-postgres.js';
import { pause, until } from '../../test/support/until.js';
import { JobQueues } from './job-queues.js';
import { PostgresSignals } from './postgres-signals.js';
import { connectQueues, migrateQueueSchema } from './queue-connection.js';

const AWAY_MS = 4_000;
const quiet = (): void => undefined;

/** Stops a server of its own: the one that suites share must not go away. */
describe('While the database is away', () => {
  let folder: string;
  let server: RunningPostgres;

  const start = (): Promise<RunningPostgres> =>
    acquireEmbeddedPostgres({ varDir: folder, durable: false, log: quiet });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-away-'));
    await chmod(folder, 0o755);
    server = await start();
    await migrateQueueSchema(server.url);
  }, 120_000);

  afterAll(async () => {
    await server.release();
    await rm(folder, { recursive: true, force: true });
  });

  it('signals and jobs stand still, statements fail in plain words, and all goes on when it is back', async () => {
    const database = await Database.connect({ url: server.url, pool: 3, applicationName: 'away' });
    const signals = new PostgresSignals(database, { directUrl: server.url, log: quiet });
    const queues = new JobQueues(
      connectQueues({ directDatabaseUrl: server.url, redisUrl: null, onError: quiet }),
      quiet,
    );
    const ran: string[] = [];
    let resyncs = 0;
    signals.onResync(() => {
      resyncs += 1;
    });
    await signals.start();
    queues.work('mail', {
      concurrency: 2,
      rulesOf: () => ({ attempts: 1, backoffMs: 0, timeoutMs: 1_000 }),
      run: async (job) => void ran.push(job.id),
      died: async () => undefined,
    });
    await queues.add({ queue: 'mail', id: 'before', name: 'send', data: {} });
    await until(() => ran.length === 1);

    await server.release();
    await until(() => !signals.connected);
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(queues.add({ queue: 'mail', id: 'lost', name: 'send', data: {} })).rejects.toThrow();
    await pause(AWAY_MS);

    server = await start();
    await until(() => signals.connected, 15_000);
    await queues.add({ queue: 'mail', id: 'after', name: 'send', data: {} });
    await until(() => ran.includes('after'), 15_000);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(ran).toEqual(['before', 'after']);
    expect(resyncs).toBe(1);
    await signals.stop();
    await queues.close(2_000);
    await database.close();
  }, 90_000);
});
