import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { ended } from '../support/built-program.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, newProject, postgresOf, signedIn, sql } from '../support/settled-server.js';
import { pause, until } from '../support/until.js';

/** Variables that `APP_ENV=prod` wants. */
const PROD = {
  APP_ENV: 'prod',
  DEFAULT_URI: 'https://loupe.example.com',
  APP_SECRET: 'a secret of at least thirty-two characters',
  APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};

async function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}

describe('a start that must be refused', () => {
  const varDir = join(tmpdir(), 'loupe-never-made');

  it('platform 19.25: a scheme in MCP_ALLOWED_HOSTS and no APP_SECRET ends the start, and both are named', async () => {
    const { code, stderr } = await ended('main', {
      APP_ENV: 'prod',
      LOUPE_VAR_DIR: varDir,
      MCP_ALLOWED_HOSTS: 'https://x',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/MCP_ALLOWED_HOSTS: "https:\/\/x"/);
    expect(stderr).toMatch(/APP_SECRET/);
    expect(stderr).not.toMatch(/\bat .*\.js/);
  });

  it('platform 19.32: HOST=0.0.0.0 needs APP_ENV=prod, and the message says so', async () => {
    const { code, stderr } = await ended('main', { HOST: '0.0.0.0', LOUPE_VAR_DIR: varDir });
    expect(code).toBe(1);
    expect(stderr).toMatch(/HOST: "0\.0\.0\.0".*APP_ENV=prod/);
  });

  it('platform 19.32: APP_ENV=prod without its three variables names all three', async () => {
    const { code, stderr } = await ended('main', { APP_ENV: 'prod', LOUPE_VAR_DIR: varDir });
    expect(code).toBe(1);
    for (const name of ['DEFAULT_URI', 'APP_SECRET', 'APP_ENCRYPTION_KEY']) {
      expect(stderr).toMatch(new RegExp(`^ *${name}: is required with APP_ENV=prod`, 'm'));
    }
  });

  it('touches nothing on the way', () => {
    expect(existsSync(varDir)).toBe(false);
  });

  it('says where the database should be when it cannot be reached', async () => {
    const port = await freePort();
    const { code, stderr, ms } = await ended('main', {
      ...PROD,
      LOUPE_VAR_DIR: varDir,
      DATABASE_URL: `postgres://loupe:secret@127.0.0.1:${port}/loupe`,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/DATABASE_URL cannot be reached/);
    expect(stderr).not.toMatch(/secret/);
    expect(ms).toBeLessThan(10_000);
  });
});

describe('start, stop, and start again', () => {
  let server: LoupeServer;

  beforeAll(async () => {
    server = await LoupeServer.start({ fresh: true, env: { APP_ENV: 'local', ...adminEnv } });
  });

  afterAll(() => server?.stop());

  it('platform 19.31: no PostgreSQL process belongs to root', () => {
    const { pid } = postgresOf(server.varDir);
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    expect(statSync(join(server.varDir, 'postgres')).uid).toBe(statSync(`/proc/${pid}`).uid);
  });

  it('keeps its secrets to itself', () => {
    for (const file of ['secrets.json', 'postgres.json']) {
      expect(statSync(join(server.varDir, file)).mode & 0o077).toBe(0);
    }
  });

  it('names the port when it is in use, and ends', async () => {
    const { code, stderr } = await ended('main', {
      APP_ENV: 'local',
      LOUPE_VAR_DIR: server.varDir,
      PORT: String(server.port),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${server.port} is in use.*PORT`));
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  it('platform 15.2: a second process of the same var folder uses the same database, and the last one stops it', async () => {
    const { pid } = postgresOf(server.varDir);
    const second = await LoupeServer.start({ beside: server, env: { APP_ENV: 'local' } });
    expect(postgresOf(server.varDir).pid).toBe(pid);
    await signedIn(second.origin);
    expect(await second.terminate()).toBe(0);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(postgresOf(server.varDir).pid).toBe(pid);
  });

  it('platform 16.4: SIGTERM lets a running request end, then the process with 0; port and database are free', async () => {
    const admin = await signedIn(server.origin);
    const projectId = await newProject(admin, 'Until the end');
    const { pid } = postgresOf(server.varDir);
    // Large enough to take a moment to render.
    const markdown = `# Long\n\n${'Some *words* of a [long](https://a.example) text, with `code`.\n\n'.repeat(3_000)}`;
    const running = admin.api<{ id: string }>('POST', `/projects/${projectId}/documents`, {
      title: 'Running',
      markdown,
    });
    await pause(120);
    const exit = server.terminate();
    const { status, body } = await running;
    expect(status).toBe(201);
    expect(await exit).toBe(0);
    expect(await isFree(server.port)).toBe(true);
    await until(() => !existsSync(`/proc/${pid}`), 5_000, 'PostgreSQL goes on.');
    server = await server.restarted();
    const [row] = await sql<{ n: string }>(
      server,
      'SELECT count(*) AS n FROM documents.document WHERE id = $1',
      [body.id],
    );
    expect(row!.n).toBe('1');
  });

  it('platform 16.4: an open stream does not hold the stop; it closes with a time to come back', async () => {
    const admin = await signedIn(server.origin);
    const stream = await admin.request('/api/live?topics=me');
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const started = Date.now();
    const [code, text] = await Promise.all([server.terminate(), stream.text()]);
    expect(code).toBe(0);
    expect(Date.now() - started).toBeLessThan(10_000);
    const [, retry] = /^retry: (\d+)$/m.exec(text) ?? [];
    expect(Number(retry)).toBeGreaterThanOrEqual(1_000);
    expect(Number(retry)).toBeLessThanOrEqual(5_000);
    server = await server.restarted();
  });

  it('platform 19.31: the next start keeps secrets and data, and sessions go on', async () => {
    const secrets = readFileSync(join(server.varDir, 'secrets.json'), 'utf8');
    const admin = await signedIn(server.origin);
    expect(await server.terminate()).toBe(0);
    const started = Date.now();
    server = await server.restarted();
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(readFileSync(join(server.varDir, 'secrets.json'), 'utf8')).toBe(secrets);
    const { status, body } = await admin.api<{ person: { displayName: string } }>('GET', '/session');
    expect([status, body.person.displayName]).toEqual([200, ADMIN.name]);
  });

  it('two starts at once on one var folder both come up on one database', async () => {
    await server.terminate();
    const [first, second] = await Promise.all([
      server.restarted(),
      LoupeServer.start({ beside: server, env: { APP_ENV: 'local' } }),
    ]);
    server = first;
    await signedIn(second.origin);
    await second.stop();
    await signedIn(server.origin);
  });
});

describe('an external database, by the console', () => {
  let host: LoupeServer;
  let base: string;
  let prodDir: string;

  beforeAll(async () => {
    host = await LoupeServer.start();
    base = postgresOf(host.varDir).url;
    prodDir = await mkdtemp(join(tmpdir(), 'loupe-prod-'));
    await chmod(prodDir, 0o755);
  });

  afterAll(async () => {
    await host?.stop();
    await rm(prodDir, { recursive: true, force: true });
  });

  async function emptyDatabase(name: string): Promise<string> {
    await sql(host, `CREATE DATABASE ${name}`);
    return base.replace(/\/loupe$/, `/${name}`);
  }

  function prod(databaseUrl: string, port: number): Record<string, string> {
    return {
      ...PROD,
      DEFAULT_URI: `http://localhost:${port}`,
      DATABASE_URL: databaseUrl,
      LOUPE_VAR_DIR: prodDir,
    };
  }

  it('platform 19.22: migrate twice: the second does nothing; two at once: one waits', async () => {
    const url = await emptyDatabase('twice');
    const both = await Promise.all([
      ended('console', prod(url, 4240), ['migrate']),
      ended('console', prod(url, 4240), ['migrate']),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const said = both.map(({ stdout }) => (stdout.includes('up to date') ? 'nothing' : 'all')).sort();
    expect(said).toEqual(['all', 'nothing']);
    const again = await ended('console', prod(url, 4240), ['migrate']);
    expect([again.code, again.stdout.trim()]).toEqual([0, 'The schema is up to date.']);
  });

  it('platform 16.3: prod never migrates by itself: an older schema is refused by name, a newer one is not', async () => {
    const url = await emptyDatabase('older');
    const port = await freePort();
    const empty = await ended('main', { ...prod(url, port), PORT: String(port) });
    expect(empty.code).toBe(1);
    expect(empty.stderr).toMatch(/older than this release.*migrate/s);
    expect((await ended('console', prod(url, port), ['migrate:status'])).code).toBe(1);
    expect((await ended('console', prod(url, port), ['migrate'])).code).toBe(0);
    expect((await ended('console', prod(url, port), ['migrate:status'])).code).toBe(0);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT name FROM schema_migrations ORDER BY id DESC LIMIT 1');
    await client.query('DELETE FROM schema_migrations WHERE name = $1', [rows[0].name]);
    const older = await ended('main', { ...prod(url, port), PORT: String(port) });
    expect(older.code).toBe(1);
    expect(older.stderr).toMatch(/Pending: /);
    await client.query(`INSERT INTO schema_migrations (timestamp, name) VALUES (0, $1)`, [rows[0].name]);
    await client.query(
      `INSERT INTO schema_migrations (timestamp, name) VALUES (1, 'platform-of-a-later-release-20990101000000')`,
    );
    await client.end();
    const newer = await LoupeServer.start({ port, beside: host, env: prod(url, port) });
    await newer.kill();
  });

  it('platform 16.1: without a worker writes are taken, the status says what stands still, and a worker catches up', async () => {
    const url = await emptyDatabase('apart');
    const port = await freePort();
    const env = { DATABASE_URL: url, ...adminEnv };
    const web = await LoupeServer.start({ port, beside: host, env: { ...env, LOUPE_ROLE: 'web' } });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const waiting = async () => {
      const { rows } = await client.query(
        'SELECT count(*)::int AS n FROM platform.outbox_events WHERE dispatched_at IS NULL',
      );
      return rows[0].n as number;
    };
    let worker: ReturnType<typeof spawn> | null = null;
    try {
      const admin = await signedIn(web.origin);
      const projectId = await newProject(admin, 'No worker');
      const made = await admin.api('POST', `/projects/${projectId}/documents`, {
        title: 'Waits',
        markdown: '# Waits',
      });
      expect(made.status).toBe(201);
      expect(await waiting()).toBeGreaterThan(0);
      const { body } = await admin.api<{ checks: { name: string; state: string; sentence: string }[] }>(
        'GET',
        '/admin/status',
      );
      const named = body.checks.filter(({ sentence }) => /worker/i.test(sentence));
      expect(named.map(({ state }) => state)).not.toContain('ok');
      expect(named.length).toBeGreaterThan(0);
      worker = spawn(process.execPath, ['dist/server/main.js'], {
        cwd: applicationRoot,
        env: {
          PATH: process.env.PATH ?? '',
          APP_ENV: 'test',
          LOUPE_ROLE: 'worker',
          LOUPE_VAR_DIR: host.varDir,
          PORT: String(port),
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      worker.stdout!.on('data', (data: Buffer) => {
        said += data.toString();
      });
      await until(async () => (await waiting()) === 0, 15_000, 'The worker did not catch up.');
      // It works before it is ready to be stopped in good order.
      await until(
        () => said.includes('A worker of Loupe takes jobs now'),
        15_000,
        'The worker did not say that it runs.',
      );
      const exit = once(worker, 'exit');
      worker.kill('SIGTERM');
      expect((await exit)[0]).toBe(0);
    } finally {
      worker?.kill('SIGKILL');
      await client.end();
      await web.kill();
    }
  });
});
