import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pause, until } from '../../test/support/until.js';
import { acquireEmbeddedPostgres, type RunningPostgres } from './embedded-postgres.js';

const asRoot = userInfo().uid === 0 ? it : it.skip;

describe('the embedded PostgreSQL', () => {
  let varDir: string;
  const held: RunningPostgres[] = [];

  const acquire = async (durable = false): Promise<RunningPostgres> => {
    const server = await acquireEmbeddedPostgres({ varDir, durable, log: () => undefined });
    held.push(server);
    return server;
  };

  beforeEach(async () => {
    varDir = await mkdtemp(join(tmpdir(), 'loupe postgres '));
    await chmod(varDir, 0o755);
  });

  afterEach(async () => {
    for (const server of held.splice(0)) await server.release();
    await rm(varDir, { recursive: true, force: true });
  });

  it('platform 19.31: keeps data over a stop, in a path with spaces, and its note is for the owner alone', async () => {
    const first = await acquire();
    await run(first.url, 'CREATE TABLE kept (x int); INSERT INTO kept VALUES (7)');
    await first.release();
    held.length = 0;
    await expect(run(first.url, 'SELECT 1')).rejects.toThrow();
    const second = await acquire();
    expect(await run(second.url, 'SELECT x FROM kept')).toEqual([{ x: 7 }]);
    expect((await stat(join(varDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  });

  it('recovers a server that was killed without a word', async () => {
    const first = await acquire(true);
    await run(first.url, 'CREATE TABLE kept (x int); INSERT INTO kept VALUES (7)');
    const [pid] = (await readFile(join(varDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    const second = await acquire(true);
    expect(await run(second.url, 'SELECT x FROM kept')).toEqual([{ x: 7 }]);
  });

  it('starts a server again that has ended by itself, on its port, and says so', async () => {
    const said: string[] = [];
    const server = await acquireEmbeddedPostgres({ varDir, durable: true, log: (line) => said.push(line) });
    held.push(server);
    await run(server.url, 'CREATE TABLE kept (x int); INSERT INTO kept VALUES (7)');
    const pid = async () =>
      Number.parseInt(await readFile(join(varDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const killed = await pid();
      process.kill(killed, signal);
      const again = () => said.filter((line) => line.includes('runs again')).length;
      const before = again();
      await until(() => again() > before, 60_000, said.join('\n'));
      expect(await run(server.url, 'SELECT x FROM kept')).toEqual([{ x: 7 }]);
      expect(await pid()).not.toBe(killed);
    }
    await server.release();
    held.length = 0;
    // What Loupe itself stops stays stopped.
    await pause(2_500);
    await expect(run(server.url, 'SELECT 1')).rejects.toThrow();
  }, 180_000);

  it('begins anew where a first start was killed before it had made a database', async () => {
    await mkdir(join(varDir, 'postgres', 'base'), { recursive: true });
    await writeFile(join(varDir, 'postgres', 'half'), 'x');
    const server = await acquire();
    expect(await run(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('refuses data of another major version and says how to move it', async () => {
    await mkdir(join(varDir, 'postgres'));
    await writeFile(join(varDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(acquire()).rejects.toThrow(/PostgreSQL 17.*brings PostgreSQL 18.*pg_dump/s);
  });

  asRoot('platform 19.31: never runs as root, and names a folder that its user cannot enter', async () => {
    await acquire();
    const [pid] = (await readFile(join(varDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    expect(execFileSync('ps', ['-o', 'user=', '-p', pid!]).toString().trim()).not.toBe('root');
    const closed = join(varDir, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const refused = acquireEmbeddedPostgres({
      varDir: join(closed, 'var'),
      durable: false,
      log: () => undefined,
    });
    await expect(refused).rejects.toThrow(new RegExp(`cannot enter ${closed}\\. .*LOUPE_VAR_DIR`));
  });
});

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
