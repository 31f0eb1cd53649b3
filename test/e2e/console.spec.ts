import { ended } from '../support/built-program.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, newProject, postgresOf, signedIn, sql } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const OLD_KEY = Buffer.alloc(32, 1).toString('base64');
const NEW_KEY = Buffer.alloc(32, 2).toString('base64');
const STRANGE_KEY = Buffer.alloc(32, 3).toString('base64');

/** The commands of `platform.md` 16.6; `analytics:rebuild` comes with the context that it is about. */
const COMMANDS = [
  'migrate',
  'migrate:status',
  'db:url',
  'admin:create',
  'user:promote',
  'user:verify',
  'health:status',
  'audit:purge',
  'exports:purge',
  'oauth:purge',
  'events:redispatch',
  'events:discard',
  'jobs:failed',
  'jobs:retry',
  'jobs:reset',
  'flags:list',
  'flags:set',
  'secrets:reencrypt',
  'restore:check',
  'documents:rerender',
  'dev:seed',
];

describe('the console of the server', () => {
  let server: LoupeServer;
  let admin: Visitor;
  let projectId: string;
  let documentId: string;

  const key = (name: string, old?: string): Record<string, string> => ({
    APP_ENCRYPTION_KEY: name,
    ...(old === undefined ? {} : { APP_ENCRYPTION_KEYS_OLD: old }),
  });

  const command = (args: string[], env: Record<string, string> = {}) =>
    ended('console', { APP_ENV: 'test', LOUPE_VAR_DIR: server.varDir, ...key(OLD_KEY), ...env }, args);

  beforeAll(async () => {
    server = await LoupeServer.start({
      // Nobody listens there, so mails wait, sealed.
      env: {
        ...adminEnv,
        ...key(OLD_KEY),
        MAILER_DSN: 'smtp://127.0.0.1:9',
        MAILER_FROM_ADDRESS: 'loupe@example.com',
      },
    });
    admin = await signedIn(server.origin);
    projectId = await newProject(admin, 'Operated');
    // The authorization server makes its key when somebody comes.
    await fetch(`${server.origin}/.well-known/oauth-authorization-server`);
    await DeviceClient.start(server.origin, 'build-mac');
    documentId = await document('Plan', '# Plan\n\nSome *words*.');
    await admin.api('POST', `/projects/${projectId}/documents/${documentId}/comments`, {
      version: 1,
      body: 'A **remark**',
    });
  }, 180_000);

  afterAll(() => server?.stop(), 180_000);

  async function document(title: string, markdown: string): Promise<string> {
    const { body } = await admin.api<{ id: string }>('POST', `/projects/${projectId}/documents`, {
      title,
      markdown,
    });
    return body.id;
  }

  it('platform 16.6: lists every command that has something to act on; what it does not know ends with 1', async () => {
    const help = await ended('console', {}, ['--help']);
    expect(help.code).toBe(0);
    for (const name of COMMANDS) expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    for (const [args, said] of [
      [['flags:sett'], /unknown command.*--help/s],
      [['events:discard'], /--before/],
      [['events:discard', '--before', 'yesterday'], /2026-01-31T09:00:00Z/],
      [['restore:check', '--sample', 'all'], /whole number/],
    ] as const) {
      const { code, stderr } = await ended('console', {}, [...args]);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(said)]);
      expect(stderr).not.toMatch(/\bat .*\.js/);
    }
  }, 180_000);

  it('platform 16.6: dev:seed makes a project with plans, cards and a prototype once, and never in prod', async () => {
    const first = await command(['dev:seed', '--email', 'sam@example.com']);
    expect([first.code, first.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    const password = /shown once: (\S+)/.exec(first.stdout)?.[1];
    const [, sample] = /projects\/([0-9a-f-]{36})/.exec(first.stdout)!;
    const sam = await signedIn(server.origin, 'sam@example.com', password);
    const documents = await sam.api<{ documents: { title: string; status: string }[] }>(
      'GET',
      `/projects/${sample}/documents`,
    );
    expect(JSON.stringify(documents.body)).toContain('Guest checkout');
    const counts = await sql<{ n: number }>(
      server,
      `SELECT (SELECT count(*) FROM documents.document WHERE project_id = $1)
            + 10 * (SELECT count(*) FROM board.card WHERE project_id = $1)
            + 100 * (SELECT count(*) FROM artifacts.artifact WHERE project_id = $1) AS n`,
      [sample],
    );
    expect(Number(counts[0]!.n)).toBe(152);
    const second = await command(['dev:seed', '--email', 'sam@example.com']);
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/nothing was changed/)]);
    const prod = await command(['dev:seed'], {
      APP_ENV: 'prod',
      APP_SECRET: 'a secret of at least thirty-two characters',
      DEFAULT_URI: 'https://loupe.example.com',
    });
    expect([prod.code, prod.stderr]).toEqual([1, expect.stringMatching(/refused with APP_ENV=prod/)]);
  }, 400_000);

  it('platform 16.6: documents:rerender mends HTML, and leaves versions whose text would change, by name', async () => {
    const other = await document('Other', '# Other\n\nText.');
    await sql(
      server,
      `UPDATE documents.document_version SET rendered_html = '<p onclick="x()">old</p>', renderer_version = '0'
       WHERE document_id = $1`,
      [documentId],
    );
    await sql(server, "UPDATE documents.comment SET body_html = '<script>' WHERE body LIKE 'A **remark**'");
    await sql(
      server,
      "UPDATE documents.document_version SET plain_text = plain_text || '!' WHERE document_id = $1",
      [other],
    );
    const { code, stdout } = await command(['documents:rerender']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Rewrote 1 of \d+ versions/);
    expect(stdout).toMatch(/Rewrote 1 of \d+ comments, notes and findings/);
    expect(stdout).toContain(`document ${other}, version 1`);
    expect(stdout.match(/Left as it is/g)).toHaveLength(1);
    const page = await admin.api<{ version: { html: string } }>(
      'GET',
      `/projects/${projectId}/documents/${documentId}/review`,
    );
    expect(page.body.version.html).toContain('<em>words</em>');
    expect(JSON.stringify(page.body)).not.toMatch(/onclick|<script>/);
  }, 180_000);

  it('platform 16.6: exports:purge and oauth:purge delete what is over, and say how much', async () => {
    await admin.api('POST', '/account/exports');
    await until(
      async () => (await sql(server, "SELECT 1 FROM platform.exports WHERE state = 'ready'")).length === 1,
      90_000,
      'No export.',
    );
    await sql(server, "UPDATE platform.exports SET expires_at = now() - interval '1 minute'");
    expect((await command(['exports:purge'])).stdout).toContain('Deleted 1 export.');
    await sql(
      server,
      `INSERT INTO identity.oauth_artefacts (model, id_hash, payload, expires_at)
       VALUES ('AuthorizationCode', 'over', '{}', now() - interval '2 hours')`,
    );
    const purged = await command(['oauth:purge']);
    expect([purged.code, purged.stdout]).toEqual([0, expect.stringMatching(/Deleted [1-9]/)]);
    expect(await sql(server, "SELECT 1 FROM identity.oauth_artefacts WHERE id_hash = 'over'")).toEqual([]);
  }, 240_000);

  it('platform 11.1: health:status --strict ends with 1 on a warning', async () => {
    await sql(
      server,
      `INSERT INTO platform.dead_jobs (id, queue, job_id, name, data, error, stack, attempts, failed_at)
       VALUES (gen_random_uuid(), 'purge', 'x_1', 'x', '{}', 'broken', '', 4, now())`,
    );
    const { code, stdout } = await command(['health:status', '--strict']);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^warning +Failed jobs/m)]);
    expect(stdout).toMatch(/^ok +Database: PostgreSQL 18/m);
    expect(stdout).toMatch(/^ok +Encryption key/m);
  }, 240_000);

  it('platform 16.6: db:url prints the address of the embedded database', async () => {
    const { code, stdout } = await command(['db:url']);
    expect([code, stdout.trim()]).toEqual([0, postgresOf(server.varDir).url]);
  }, 60_000);

  describe('secrets:reencrypt', () => {
    /** Every value of the database that is sealed, whatever its column, by the id of its key. */
    async function sealedValues(): Promise<Map<string, string[]>> {
      const columns = await sql<{ table: string; column: string }>(
        server,
        `SELECT format('%I.%I', table_schema, table_name) AS table, quote_ident(column_name) AS column
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_type = 'BASE TABLE' AND data_type IN ('text', 'jsonb', 'character varying')
           AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
      );
      const found = new Map<string, string[]>();
      for (const { table, column } of columns) {
        const rows = await sql<{ key: string }>(
          server,
          `SELECT DISTINCT substring(${column}::text FROM 'v1\\.([0-9a-f]{8})\\.[\\w-]{16}\\.') AS key FROM ${table}
           WHERE ${column}::text ~ 'v1\\.[0-9a-f]{8}\\.[\\w-]{16}\\.'`,
        );
        for (const row of rows) found.set(row.key, [...(found.get(row.key) ?? []), `${table}.${column}`]);
      }
      return found;
    }

    it('leaves no value of an old key anywhere in the database, and everything works with the new one alone', async () => {
      await admin.api('POST', '/account/exports');
      await admin.api('POST', '/admin/invites', { email: 'new@example.com', send: true });
      await until(
        async () => (await sql(server, "SELECT 1 FROM platform.exports WHERE state = 'ready'")).length === 1,
        90_000,
        'No export.',
      );
      await sql(
        server,
        'UPDATE identity.web_sessions SET company_token = (SELECT sealed FROM platform.key_sentinel)',
      );
      const before = await sealedValues();
      expect([...before.keys()]).toHaveLength(1);
      const [columns] = [...before.values()];
      expect(columns!.sort()).toEqual([
        'identity.oauth_keys.sealed_jwk',
        'identity.web_sessions.company_token',
        'platform.exports.token_sealed',
        'platform.key_sentinel.sealed',
        'platform.mails.sealed',
      ]);
      const done = await command(['secrets:reencrypt'], key(NEW_KEY, OLD_KEY));
      expect([done.code, done.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
      expect(done.stdout).toMatch(/Sealed anew: 1 value of platform.key_sentinel.sealed/);
      const after = await sealedValues();
      expect([...after.keys()]).toEqual([expect.not.stringMatching([...before.keys()][0]!)]);
      const again = await command(['secrets:reencrypt'], key(NEW_KEY));
      expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/Every stored secret is sealed/)]);
    }, 400_000);

    it('changes nothing with a strange key, until it is told to give up what nobody can read', async () => {
      await server.terminate();
      const held = await command(['secrets:reencrypt'], key(STRANGE_KEY));
      expect([held.code, held.stdout]).toEqual([1, expect.stringMatching(/No known key opens 1 value/)]);
      const refused = await command(['flags:list'], key(STRANGE_KEY));
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/^APP_ENCRYPTION_KEY is not the key.*--give-up-unreadable/s),
      ]);
      const kept = await command(['secrets:reencrypt'], key(NEW_KEY));
      expect(kept.stdout).toMatch(/Every stored secret is sealed/);
      const given = await command(['secrets:reencrypt', '--give-up-unreadable'], key(STRANGE_KEY));
      expect([given.code, given.stdout]).toEqual([
        0,
        expect.stringMatching(/Dropped 1 value of identity.oauth_keys/),
      ]);
    }, 400_000);
  });

  it('recovers access: admin:create is safe to repeat, and an unknown address is refused in words', async () => {
    const env = key(STRANGE_KEY);
    expect((await command(['admin:create', ADMIN.email], env)).stdout).toContain('Already an admin');
    const unknown = await command(['user:promote', 'nobody@example.com'], env);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/\S/)]);
    expect(unknown.stderr).not.toMatch(/\bat .*\.js/);
  }, 240_000);
});
