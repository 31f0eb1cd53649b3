import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { postgresOf } from './settled-server.js';
import { pause, until } from './until.js';

/** Long enough for a server that goes over its log after a crash. */
const START_MS = 60_000;

/**
 * A PostgreSQL beside the product, as operators run one: the servers under test know its address and nothing else, and
 * the test stops and starts it.
 */
export class OwnPostgres {
  private pid: number;

  private constructor(
    /** Address of the database of the product. */
    readonly url: string,
    private readonly folder: string,
    private readonly command: { binary: string; args: string[]; uid: number; gid: number },
    pid: number,
  ) {
    this.pid = pid;
  }

  /** `durable`: waits for the disk, as a database of users does. */
  static async start({ durable = true }: { readonly durable?: boolean } = {}): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-postgres-'));
    chmodSync(folder, 0o755);
    const made = await acquireEmbeddedPostgres({ varDir: folder, durable, log: () => undefined });
    const { url, pid } = postgresOf(folder);
    const binary = readlinkSync(`/proc/${pid}/exe`);
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const { uid, gid } = statSync(`/proc/${pid}`);
    // From here on nobody but this object starts and stops it.
    await made.release();
    const postgres = new OwnPostgres(url, folder, { binary, args, uid, gid }, pid);
    await postgres.run();
    return postgres;
  }

  /** As `pg_ctl stop -m fast`: sessions are ended, then the server. */
  async halt(): Promise<void> {
    process.kill(this.pid, 'SIGINT');
    await until(() => !isAlive(this.pid), START_MS, 'PostgreSQL did not stop.');
  }

  /** As a machine that goes away: the server and all its sessions at once, nothing is finished. */
  async crash(): Promise<void> {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.pid)], { encoding: 'utf8' });
    const all = [this.pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
    for (const each of all) {
      try {
        process.kill(each, 'SIGKILL');
      } catch {
        // it went with its parent
      }
    }
    await until(() => all.every((each) => !isAlive(each)), START_MS, 'PostgreSQL did not go.');
  }

  /** Starts it on the same data and port. Done when it takes connections. */
  async run(): Promise<void> {
    const { binary, args, uid, gid } = this.command;
    const child = spawn(binary, args, { uid, gid, cwd: '/', stdio: 'ignore' });
    this.pid = child.pid!;
    const end = Date.now() + START_MS;
    while (!(await this.answers())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`);
      if (Date.now() > end) throw new Error('PostgreSQL did not start.');
      await pause(100);
    }
  }

  /** Looks into a database past everything. */
  async sql<T = Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows as T[];
    } finally {
      await client.end();
    }
  }

  async count(from: string): Promise<number> {
    const [row] = await this.sql<{ n: string }>(`SELECT count(*) AS n FROM ${from}`);
    return Number(row!.n);
  }

  async stop(): Promise<void> {
    if (isAlive(this.pid)) await this.halt();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A child that has ended stays in the table until its parent looks.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
