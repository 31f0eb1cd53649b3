import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { ended, run } from '../support/built-program.js';
import { ExternalPostgres, systemPostgres } from '../support/external-postgres.js';
import { Guide } from '../support/guide.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const bin = systemPostgres();
const guide = new Guide('docs/operating/backup-and-restore.md');
const settings = guide.commands('Before you begin');
const [choose, recreate, filesBack, bringUp, discard] = guide.commands('Restore');

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');

interface Made {
  readonly projectId: string;
  readonly documentId: string;
  readonly artifactId: string;
  readonly revision: string;
}

// The commands of the guide, as they stand there, against a PostgreSQL of the system.
(bin ? describe : describe.skip)('backup and restore, by the guide', () => {
  let postgres: ExternalPostgres;
  let folder: string;
  let port: number;
  let server: LoupeServer | null = null;
  let admin: Visitor;
  let made: Made;

  const file = (name: string) => join(folder, name);

  /** The environment of the instance, as its file holds it. */
  const environment = (key = KEY): Record<string, string> => ({
    APP_ENV: 'prod',
    DEFAULT_URI: `http://localhost:${port}`,
    APP_SECRET: 'a secret of at least thirty-two characters',
    APP_ENCRYPTION_KEY: key,
    DATABASE_URL: postgres.urlOf('loupe'),
    LOUPE_VAR_DIR: file('var'),
    // Nobody listens there, so mails wait.
    MAILER_DSN: 'smtp://127.0.0.1:9',
    MAILER_FROM_ADDRESS: 'loupe@example.com',
  });

  const start = async (): Promise<LoupeServer> =>
    LoupeServer.start({ port, env: { ...environment(), ...adminEnv, PORT: String(port) } });

  /** Runs blocks of the guide in one shell, as the reader does. */
  async function follow(...blocks: (string | undefined)[]) {
    const script = [...settings, ...blocks].join('\n');
    return run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        PATH: `${file('bin')}:${bin}:${process.env.PATH}`,
        LOUPE_ENV: file('loupe.env'),
        LOUPE_BACKUPS: file('backups'),
        ADMIN_DATABASE_URL: postgres.adminUrl,
      },
    });
  }

  async function writeEnvironment(key: string): Promise<void> {
    const lines = Object.entries(environment(key)).map(([name, value]) => `${name}='${value}'`);
    await writeFile(file('loupe.env'), `${lines.join('\n')}\n`);
  }

  beforeAll(async () => {
    postgres = await ExternalPostgres.start(bin!);
    postgres.createDatabase('loupe');
    folder = await mkdtemp(join(tmpdir(), 'loupe-restore-'));
    port = await freePort();
    await mkdir(file('bin'));
    await writeFile(
      file('bin/loupe-server'),
      `#!/bin/sh\ncd '${applicationRoot}' && exec '${process.execPath}' dist/server/console.js "$@"\n`,
      { mode: 0o755 },
    );
    await writeEnvironment(KEY);
    const migrated = await ended('console', environment(), ['migrate']);
    if (migrated.code !== 0) throw new Error(migrated.stderr);
    server = await start();
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    made = await everything(admin);
  }, 300_000);

  afterAll(async () => {
    await server?.stop();
    await postgres?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  }, 180_000);

  /** A document with a comment, a card, an artifact, an export, and two mails that wait. */
  async function everything(visitor: Visitor): Promise<Made> {
    const projectId = await newProject(visitor, 'Kept');
    const post = async <T>(path: string, body?: unknown): Promise<T> => {
      const answer = await visitor.api<T>('POST', path, body);
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await visitor.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
    const document = await post<{ id: string }>(`/projects/${projectId}/documents`, {
      title: 'Plan',
      markdown: '# Plan\n\nKeep every word of it.',
    });
    await post(`/projects/${projectId}/documents/${document.id}/comments`, {
      version: 1,
      body: 'Kept too',
    });
    await post(`/projects/${projectId}/board/cards`, { title: 'A card', body: '' });
    const artifact = await post<{ artifactId: string; revision: string }>(
      `/projects/${projectId}/artifacts`,
      {
        type: 'import',
        name: 'Page',
        files: { 'index.html': '<h1>Kept</h1>' },
      },
    );
    await post('/account/exports');
    await until(async () => (await count("exports WHERE state = 'ready'")) === 1, 90_000, 'No export.');
    // The second mail; the first tells of the export.
    await post('/admin/invites', { email: 'new@example.com', send: true });
    await until(
      async () => (await count("mails WHERE state = 'waiting'")) === 2,
      30_000,
      'Mails do not wait.',
    );
    return { projectId, documentId: document.id, ...artifact };
  }

  async function count(what: string): Promise<number> {
    const client = new pg.Client({ connectionString: postgres.urlOf('loupe') });
    await client.connect();
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM platform.${what}`);
    await client.end();
    return rows[0].n as number;
  }

  async function blobFile(): Promise<string> {
    const all = await readdir(file('var/blobs/artifacts'), { recursive: true, withFileTypes: true });
    const blob = all.find((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name));
    return join(blob!.parentPath, blob!.name);
  }

  it('takes a backup while the instance runs', async () => {
    const { code, stderr } = await follow(...guide.commands('Take a backup'));
    expect([code, stderr]).toEqual([0, '']);
    const [backup] = await readdir(file('backups'));
    expect((await readdir(join(file('backups'), backup!))).sort()).toEqual([
      'blobs.tar',
      'contents.txt',
      'loupe.dump',
      'repositories.tar',
    ]);
    await newProject(admin, 'After the dump');
    await server!.terminate();
  }, 400_000);

  it('brings database and files back into an empty place', async () => {
    await rm(file('var'), { recursive: true });
    const { code, stderr } = await follow(choose, recreate, filesBack);
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  }, 400_000);

  it('platform 19.24: with another key the check fails and says so, and so does a start', async () => {
    await writeEnvironment(OTHER_KEY);
    const check = await follow(bringUp);
    expect(check.code).not.toBe(0);
    expect(check.stdout + check.stderr).toMatch(/APP_ENCRYPTION_KEY is not the key/);
    const refused = await ended('main', { ...environment(OTHER_KEY), PORT: String(port) });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/APP_ENCRYPTION_KEY is not/)]);
    expect(refused.stderr).not.toMatch(/\bat .*\.js/);
    await writeEnvironment(KEY);
  }, 400_000);

  it('platform 16.5: a stored file that did not come back is named', async () => {
    const blob = await blobFile();
    await cp(blob, file('aside'));
    await rm(blob);
    const check = await follow('loupe-server restore:check');
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(blob.slice(blob.indexOf('artifacts/')));
    expect(check.stdout).toContain(made.artifactId);
    expect(check.stdout).toContain('The restore is not complete.');
    await cp(file('aside'), blob);
  }, 400_000);

  it('platform 19.24: with the key the check passes; old mails are told of, and dropped when asked', async () => {
    const check = await follow(bringUp);
    expect([check.code, check.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    expect(check.stdout).toContain('The restore is complete.');
    expect(check.stdout).toMatch(/0 events and 2 mails of before/);
    expect(check.stdout).toMatch(/archives of 1 did not come back/);
    expect(check.stdout).toMatch(/events:discard --before \S+ --mails-only/);
    const dropped = await follow(discard);
    expect(dropped.stdout).toMatch(/Discarded 0 events and 2 mails/);
    expect(await count("mails WHERE state = 'waiting'")).toBe(0);
  }, 400_000);

  it('platform 19.24: login works, document, card and artifact are there, and the day of the dump is back', async () => {
    server = await start();
    // The session of before the dump goes on.
    expect((await admin.api('GET', '/session')).status).toBe(200);
    const again = await signedIn(server.origin, ADMIN.email, ADMIN.password);
    const { projectId, documentId, artifactId, revision } = made;
    const page = await again.api<{ version: { html: string }; threads: { body: string }[] }>(
      'GET',
      `/projects/${projectId}/documents/${documentId}/review`,
    );
    expect([page.status, page.body.version.html]).toEqual([200, expect.stringContaining('every word')]);
    expect(JSON.stringify(page.body.threads)).toContain('Kept too');
    const bytes = await again.request(`/api${filesOf(projectId, artifactId)}`);
    expect([bytes.status, await bytes.text()]).toEqual([200, '<h1>Kept</h1>']);
    const names = await again.api<{ projects: { name: string }[] }>('GET', '/projects');
    expect(JSON.stringify(names.body)).not.toContain('After the dump');
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    const status = await again.api<{ checks: { name: string; state: string }[] }>('GET', '/admin/status');
    const failed = status.body.checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
    // Its mail server was never there.
    expect(failed.filter((name) => name !== 'Mail')).toEqual([]);
    const edited = await again.api('POST', `/projects/${projectId}/artifacts/${artifactId}/edits`, {
      baseRevision: revision,
      commitMessage: 'After the restore',
      changes: [{ op: 'write', path: 'index.html', content: '<h1>Changed</h1>' }],
    });
    expect([edited.status, edited.body]).toEqual([200, expect.anything()]);
  }, 400_000);
});

function filesOf(projectId: string, artifactId: string): string {
  return `/projects/${projectId}/artifacts/${artifactId}/files/1?path=index.html&raw=1`;
}
