import { assertSchemaCompatibility, type BackendFactory, createPostgresBackend, runMigrations } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { ForeignMigration } from '#libs/persistence/migrations.js';

export const QUEUE_SCHEMA = 'bullmq';
const PRODUCER_LIMIT_MS = 2_000;
const POOL = 32;
/** Where the library notes its own migrations. */
const LEDGER = 'migration';
const REDIS_KEYS = 'bull:*';

/** Where the queue keeps its jobs; PostgreSQL unless there is a Redis. */
export interface QueueConnectionOptions {
  readonly directDatabaseUrl: string;
  readonly redisUrl: string | null;
  readonly onError: (error: unknown) => void;
}

/** What BullMQ needs to make a queue or a worker on one backend. */
export interface QueueConnection {
  readonly kind: 'postgresql' | 'redis';
  // biome-ignore lint/suspicious/noExplicitAny: BullMQ's factory type names one backend, and there are two here
  readonly factory: BackendFactory<any, any> | undefined;
  /** For adding jobs: answers within 2 s or fails. */
  readonly producer: unknown;
  /** For taking jobs: waits for the backend as long as it takes. */
  readonly worker: unknown;
  /** Version and settings for the status page. @throws when the backend does not answer. */
  describe(): Promise<{ version: string; warning: string | null }>;
  /** Takes out everything of ours. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Brings the library's own schema up to date; the product's `migrate` runs it. */
export const migrateQueueSchema: ForeignMigration = async (databaseUrl) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end();
  }
};

/** The backend that the configuration names: Redis with its address, else PostgreSQL. */
export function connectQueues(options: QueueConnectionOptions): QueueConnection {
  return options.redisUrl === null ? onPostgres(options) : onRedis(options, options.redisUrl);
}

/**
 * One pool for all queues and workers of a process: with a configuration object each queue would open a pool of its
 * own. BullMQ takes a ready pool when its `search_path` names the schema.
 */
function onPostgres({ directDatabaseUrl, onError }: QueueConnectionOptions): QueueConnection {
  const pool = new pg.Pool({
    connectionString: directDatabaseUrl,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    application_name: 'loupe-queue',
    max: POOL,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  pool.on('error', onError);
  // Every queue and worker listens on it.
  pool.setMaxListeners(0);
  return {
    kind: 'postgresql',
    factory: createPostgresBackend,
    producer: pool,
    worker: pool,
    async describe() {
      await assertSchemaCompatibility(pool, QUEUE_SCHEMA);
      const { rows } = await pool.query("SELECT current_setting('server_version') AS version");
      return { version: (rows[0] as { version: string }).version, warning: null };
    },
    async empty() {
      const { rows } = await pool.query(
        `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
         WHERE schemaname = $1 AND tablename <> $2`,
        [QUEUE_SCHEMA, LEDGER],
      );
      const names = (rows as { name: string }[]).map(({ name }) => name);
      if (names.length > 0) await pool.query(`TRUNCATE ${names.join(', ')}`);
    },
    close: () => pool.end(),
  };
}

function onRedis({ onError }: QueueConnectionOptions, url: string): QueueConnection {
  const patience = (times: number): number => Math.min(100 * 2 ** times, 5_000);
  const producer = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: PRODUCER_LIMIT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: patience,
  });
  const worker = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: patience });
  producer.on('error', onError);
  worker.on('error', onError);
  return {
    kind: 'redis',
    factory: undefined,
    producer,
    worker,
    async describe() {
      const info = await producer.info('server');
      const version = /(?:redis|valkey)_version:([\d.]+)/.exec(info)?.[1] ?? 'unknown';
      const policy = ((await producer.config('GET', 'maxmemory-policy').catch(() => [])) as string[])[1];
      if (Number.parseInt(version, 10) < 7) {
        return { version, warning: 'Redis or Valkey 7 or newer is needed. Upgrade the server.' };
      }
      if (policy !== undefined && policy !== 'noeviction') {
        return { version, warning: `Set maxmemory-policy to noeviction: with ${policy} jobs may vanish.` };
      }
      return { version, warning: null };
    },
    async empty() {
      let cursor = '0';
      do {
        const [next, keys] = await producer.scan(cursor, 'MATCH', REDIS_KEYS, 'COUNT', 500);
        if (keys.length > 0) await producer.unlink(...keys);
        cursor = next;
      } while (cursor !== '0');
    },
    async close() {
      await Promise.all([producer, worker].map((client) => client.quit().catch(() => client.disconnect())));
    },
  };
}
