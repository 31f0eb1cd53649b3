import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/configuration/loopback-ports.js';

/** Where Debian and its relatives keep the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;

/** Folder of the programs of the oldest PostgreSQL here that the product supports, server and pg_dump; or null. */
export function systemPostgres(): string | null {
  if (!existsSync(DEBIAN)) return null;
  const folders = readdirSync(DEBIAN)
    .map(Number)
    .filter((version) => version >= OLDEST)
    .sort((a, b) => a - b)
    .map((version) => join(DEBIAN, String(version), 'bin'));
  return (
    folders.find((bin) =>
      ['initdb', 'pg_ctl', 'pg_dump', 'psql'].every((name) => existsSync(join(bin, name))),
    ) ?? null
  );
}

/** A PostgreSQL of the system with a cluster of its own, as an operator would run one beside Loupe. */
export class ExternalPostgres {
  private constructor(
    /** Folder of psql, pg_dump and pg_restore of the same version. */
    readonly bin: string,
    /** Address of the database `postgres` for its superuser. */
    readonly adminUrl: string,
    private readonly folder: string,
  ) {}

  static async start(bin: string): Promise<ExternalPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-external-'));
    await chmod(folder, 0o755);
    const owner = unprivileged();
    const data = join(folder, 'data');
    if (owner) await chown(folder, owner.uid, owner.gid);
    const port = await freePort();
    const tool = (name: string, ...args: string[]) =>
      execFileSync(join(bin, name), args, { cwd: '/', stdio: 'ignore', env: { LC_ALL: 'C' }, ...owner });
    tool('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C');
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=100`;
    tool('pg_ctl', 'start', '-D', data, '-w', '-t', '60', '-l', join(data, 'server.log'), '-o', settings);
    return new ExternalPostgres(bin, `postgres://postgres@127.0.0.1:${port}/postgres`, folder);
  }

  /** A database that belongs to a role which may do nothing else. @returns its address for that role */
  createDatabase(name: string): string {
    this.psql(`CREATE ROLE ${name} LOGIN`, `CREATE DATABASE ${name} OWNER ${name}`);
    return this.urlOf(name);
  }

  urlOf(name: string): string {
    return this.adminUrl.replace('postgres@', `${name}@`).replace(/\/postgres$/, `/${name}`);
  }

  /** Each statement in a transaction of its own. */
  psql(...statements: string[]): void {
    const commands = statements.flatMap((statement) => ['-c', statement]);
    const { status, stderr } = spawnSync(
      join(this.bin, 'psql'),
      [this.adminUrl, '-v', 'ON_ERROR_STOP=1', '-q', ...commands],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
  }

  async stop(): Promise<void> {
    const data = join(this.folder, 'data');
    spawnSync(join(this.bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w'], {
      cwd: '/',
      ...unprivileged(),
    });
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (userInfo().uid !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
