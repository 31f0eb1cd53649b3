import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './process-alive.js';
import { runProgram, runs } from './run-program.js';
import { answers, type ServerNote } from './server-note.js';
import { closedPathMessage, type ServerUser } from './server-user.js';

const MAJOR = '18';
const START_SECONDS = 60;
/** How long the remains of a killed server may stand in the way of the next one. */
const REMAINS_MILLISECONDS = 15_000;

/** One data folder and the programs that serve it. Callers hold the lock of the var folder, but for `isServing`. */
export class PostgresServer {
  constructor(
    private readonly dataDir: string,
    private readonly binaries: string,
    private readonly user: ServerUser | null,
  ) {}

  /** Makes the data folder, where it is not made yet. */
  async create(password: string, log: (line: string) => void): Promise<void> {
    if (existsSync(join(this.dataDir, 'PG_VERSION'))) return;
    log('Creating the embedded database (once) …');
    await mkdir(this.dataDir, { recursive: true, mode: 0o700 });
    // A start that was killed during initdb leaves a folder without PG_VERSION: nothing of worth is in it.
    for (const entry of readdirSync(this.dataDir)) await rm(join(this.dataDir, entry), { recursive: true });
    const passwordFile = join(this.dataDir, '..', `.postgres-password-${randomBytes(6).toString('hex')}`);
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    try {
      if (this.user) await this.handOver(this.user, passwordFile);
      await this.call('initdb', [
        '-D',
        this.dataDir,
        '-U',
        'loupe',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ]);
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  /**
   * Starts the server on the noted port, after the remains of one that was killed have gone.
   * @throws Error with the end of the server's log
   */
  async start(note: ServerNote, durable: boolean): Promise<void> {
    const settings = [
      `-p ${note.port}`,
      '-c listen_addresses=127.0.0.1',
      "-c unix_socket_directories=''",
      '-c max_connections=200',
      ...(durable ? [] : ['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off']),
    ];
    const log = join(this.dataDir, 'server.log');
    const wait = ['-w', '-t', String(START_SECONDS)];
    const giveUp = Date.now() + REMAINS_MILLISECONDS;
    for (;;) {
      const failure = await this.control('start', [...wait, '-l', log, '-o', settings.join(' ')]).then(
        () => null,
        (error: Error) => error,
      );
      if (!failure) return;
      const tail = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-8).join('\n') : '';
      // The processes of a server that was killed take a moment to go, and hold its memory until then.
      const remains = /lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(tail);
      // Or somebody else has started it meanwhile.
      if (remains && (await answers(note))) return;
      if (!remains || Date.now() > giveUp) {
        throw new Error(`The embedded PostgreSQL did not start: ${failure.message}\n${tail}`);
      }
      await new Promise((done) => setTimeout(done, 250));
    }
  }

  /** Ends running statements and stops; a server that does not stop in order is stopped at once and recovers later. */
  async stop(): Promise<void> {
    await this.control('stop', ['-m', 'fast', '-w', '-t', '30'])
      .catch(() => this.control('stop', ['-m', 'immediate', '-w']))
      // It has ended by itself: there is nothing to stop.
      .catch(() => undefined);
  }

  /** Whether its process is there. The server removes the file when it stops in order, and leaves it behind when it is killed. */
  async isServing(): Promise<boolean> {
    const text = await readFile(join(this.dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    return pid > 0 && isAlive(pid);
  }

  private async handOver(user: ServerUser, passwordFile: string): Promise<void> {
    await chown(this.dataDir, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
    if (await runs('/bin/sh', ['-c', 'cd -- "$0"', this.dataDir], user)) return;
    throw new Error(
      closedPathMessage(
        join(this.dataDir, 'x'),
        user,
        'Set LOUPE_VAR_DIR to a folder that it can enter, such as LOUPE_VAR_DIR=/var/lib/loupe/data, or move the checkout.',
      ),
    );
  }

  private control(command: 'start' | 'stop', args: string[]): Promise<void> {
    return this.call('pg_ctl', [command, '-D', this.dataDir, ...args]);
  }

  private call(program: string, args: string[]): Promise<void> {
    return runProgram(join(this.binaries, 'bin', program), args, this.user);
  }
}

/** @throws Error with the way to move the data, when the folder holds that of another major version of PostgreSQL */
export function refuseOtherMajor(dataDir: string): void {
  const file = join(dataDir, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = readFileSync(file, 'utf8').trim();
  if (found !== MAJOR) {
    throw new Error(
      `${dataDir} holds a database of PostgreSQL ${found}, and this release brings PostgreSQL ${MAJOR}. ` +
        `Dump it with pg_dump of version ${found}, move the folder away, start once, and restore the dump.`,
    );
  }
}
