import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  postgresOf,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { pause, until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const WRITERS = 6;

/** Allows a device, as `loupe login` asks for it. @returns the access token */
async function deviceToken(origin: string, admin: Visitor): Promise<string> {
  const device = await DeviceClient.start(origin, 'build-mac');
  const page = await admin.open(device.verificationUriComplete);
  const answer = await admin.submit(page, { answer: 'allow' });
  if (answer.status >= 400) throw new Error(`The device was not allowed: ${answer.status}`);
  return (await device.poll()).access_token;
}

/** The database server of a var folder. */
function postgresProcess(varDir: string) {
  const { pid } = postgresOf(varDir);
  return {
    pid,
    /** As when the machine that it runs on goes away. */
    async crash(): Promise<void> {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
      process.kill(pid, 'SIGKILL');
      for (const child of children.trim().split(/\s+/).filter(Boolean)) {
        try {
          process.kill(Number(child), 'SIGKILL');
        } catch {
          // it went with its parent
        }
      }
      await until(() => !isAlive(pid));
    },
    /** Stops or goes on with the server and all of its children, without a word to their peers. */
    signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
      for (const each of [String(pid), ...children.trim().split(/\s+/)]) process.kill(Number(each), signal);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('kill -9 under load', () => {
  let server: LoupeServer;
  let admin: Visitor;
  let token: string;
  let projectId: string;
  /** Every document that was answered, by the id of its request. */
  const answered = new Map<string, string>();
  /** Every request that was sent. */
  const sent = new Set<string>();

  beforeAll(async () => {
    // The local profile: only there the database writes as it does for users.
    server = await LoupeServer.start({ env: { APP_ENV: 'local', LOG_LEVEL: 'warn', ...adminEnv } });
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'Under load');
    token = await deviceToken(server.origin, admin);
  });

  afterAll(() => server?.stop());

  it.each([
    { moment: 60, whole: false },
    { moment: 333, whole: false },
    { moment: 800, whole: false },
    { moment: 500, whole: true },
  ])(
    'keeps all that was answered when killed after $moment ms (the database too: $whole)',
    async ({ moment, whole }) => {
      const before = answered.size;
      let stopped = false;
      const writers = Array.from({ length: WRITERS }, async (_, at) => {
        while (!stopped) await write(at % 2 === 0 ? 'mcp' : 'web').catch(() => undefined);
      });
      await until(() => answered.size > before, 10_000, 'No write was answered.');
      await pause(moment);
      const database = postgresProcess(server.varDir);
      await server.kill();
      if (whole) await database.crash();
      stopped = true;
      await Promise.all(writers);
      server = await server.restarted();
      await expectNothingLost();
    },
    60_000,
  );

  it('goes on with the outbox: every event is delivered, each once in effect', async () => {
    await until(
      async () => (await count('platform.outbox_events WHERE dispatched_at IS NULL')) === 0,
      15_000,
      'Events wait in the outbox.',
    );
    await until(
      async () => (await count('platform.listener_records WHERE delivered_at IS NULL')) === 0,
      // A job that was running when its process was killed is taken over after its lock has run out.
      60_000,
      'Events were handed out and not delivered.',
    );
    expect(await count('platform.dead_jobs')).toBe(0);
  }, 90_000);

  it('platform 19.18: an event whose process dies right after the commit still takes effect', async () => {
    const doomed = await newProject(admin, 'Doomed');
    await sql(
      server,
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
       SELECT gen_random_uuid(), person_id, 'https://agent.example/client.json', 'Doomed agent', '{mcp}', $1, audience, now(), expires_at
         FROM identity.connections LIMIT 1`,
      [doomed],
    );
    const { status } = await admin.api('POST', `/projects/${doomed}/delete`, { typedName: 'Doomed' });
    expect(status).toBe(202);
    await server.kill();
    server = await server.restarted();
    await until(
      async () =>
        (await count(
          `identity.connections WHERE project_id = '${doomed}' AND revoked_reason = 'project-deleted'`,
        )) === 1,
      15_000,
      'The connection of the deleted project was not revoked.',
    );
  });

  it('gives a repeat of an answered call its first result, and acts no second time', async () => {
    const requestId = randomUUID();
    const args = { title: 'Once', markdown: '# Once' };
    const headers = { 'loupe-request-id': requestId };
    const first = await callTool(server.origin, token, 'document_create', args, headers);
    const { documentId } = first.body.result!.structuredContent!;
    await server.kill();
    server = await server.restarted();
    const again = await callTool(server.origin, token, 'document_create', args, headers);
    expect(again.body.result!.structuredContent).toMatchObject({ documentId });
    expect(await count(`documents.document WHERE title = 'Once'`)).toBe(1);
  });

  /** One new document, whose title is the id of its request. */
  async function write(door: 'mcp' | 'web'): Promise<void> {
    const title = randomUUID();
    const text = { title, markdown: `# Plan\n\n${'Some text of it. '.repeat(20)}` };
    sent.add(title);
    if (door === 'mcp') {
      const { body } = await callTool(server.origin, token, 'document_create', text);
      const id = body.result?.structuredContent?.documentId;
      if (typeof id === 'string') answered.set(title, id);
    } else {
      const { status, body } = await admin.api<{ id: string }>(
        'POST',
        `/projects/${projectId}/documents`,
        text,
      );
      if (status === 201) answered.set(title, body.id);
    }
  }

  async function expectNothingLost(): Promise<void> {
    const rows = await sql<{ id: string; title: string }>(
      server,
      'SELECT d.id, d.title FROM documents.document d JOIN documents.document_version v ON v.document_id = d.id',
    );
    const stored = new Map(rows.map(({ id, title }) => [title, id]));
    expect([...answered].filter(([title, id]) => stored.get(title) !== id)).toEqual([]);
    expect(rows).toHaveLength(stored.size);
    expect(rows.filter(({ title }) => !sent.has(title))).toEqual([]);
    // A write is there with its event and its record, or not at all.
    const documents = rows.map(({ id }) => id).sort();
    const events = await sql<{ id: string }>(
      server,
      `SELECT aggregate_id AS id FROM platform.outbox_events WHERE type = 'DocumentCreated'`,
    );
    expect(events.map(({ id }) => id).sort()).toEqual(documents);
    const records = await sql<{ id: string }>(
      server,
      `SELECT subject_id::text AS id FROM platform.audit_events WHERE operation = 'document.created'`,
    );
    expect(records.map(({ id }) => id).sort()).toEqual(documents);
    const answer = await callTool(server.origin, token, 'document_list', { perPage: 1 });
    expect(answer.body.result!.structuredContent!.total).toBe(documents.length);
  }

  async function count(from: string): Promise<number> {
    const [row] = await sql<{ n: string }>(server, `SELECT count(*) AS n FROM ${from}`);
    return Number(row!.n);
  }
});

describe('the database is gone for ten seconds', () => {
  let server: LoupeServer;
  let beside: LoupeServer;
  let admin: Visitor;
  let token: string;
  let projectId: string;

  beforeAll(async () => {
    const env = { APP_ENV: 'local', LOG_LEVEL: 'warn', ...adminEnv };
    server = await LoupeServer.start({ env });
    beside = await LoupeServer.start({ beside: server, env: { ...env, DEFAULT_URI: server.url } });
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'Steady');
    token = await deviceToken(server.origin, admin);
  }, 240_000);

  afterAll(async () => {
    await beside?.stop();
    await server?.stop();
  });

  it('platform 17 and 19.19: answers 503 with Retry-After meanwhile, and all works again without a restart', async () => {
    const database = postgresProcess(server.varDir);
    // Loupe would start it again at once, so the test holds the lock under which that happens.
    const unlock = await lockfile.lock(server.varDir, {
      lockfilePath: join(server.varDir, 'postgres.lock'),
      stale: 60_000,
      retries: 10,
    });
    try {
      await database.crash();
      const gone = Date.now();
      while (Date.now() - gone < 10_000) {
        await expectAway();
        await pause(700);
      }
    } finally {
      await unlock();
    }
    await expectBack();
    expect(server.log + beside.log).toContain('The embedded PostgreSQL runs again.');
    expect(postgresOf(server.varDir).pid).not.toBe(database.pid);
  }, 120_000);

  it('answers 503 within some seconds too while the database only hangs, and goes on when it wakes', async () => {
    const database = postgresProcess(server.varDir);
    database.signalAll('SIGSTOP');
    // Whatever happens, it does not stay asleep.
    const wake = setTimeout(() => database.signalAll('SIGCONT'), 30_000);
    try {
      await expectAway();
      await expectAway();
    } finally {
      clearTimeout(wake);
      database.signalAll('SIGCONT');
    }
    await expectBack();
  }, 60_000);

  /** What every door says while the database is away; each within some seconds. */
  async function expectAway(): Promise<void> {
    const started = Date.now();
    const [alive, health, api, page, door, token_] = await Promise.all([
      fetch(`${server.origin}/livez`),
      fetch(`${server.origin}/healthz`),
      admin.request('/api/projects', { headers: { accept: 'application/json' } }),
      admin.request(`/projects/${projectId}`, { headers: { accept: 'text/html' } }),
      callTool(server.origin, token, 'project_current'),
      fetch(`${server.origin}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: 'loupe-cli',
          refresh_token: 'x',
        }),
      }),
    ]);
    expect(Date.now() - started).toBeLessThan(12_000);
    expect([alive.status, health.status]).toEqual([200, 503]);
    expect([api.status, page.status, door.status, token_.status]).toEqual([503, 503, 503, 503]);
    for (const { headers } of [api, page, door, token_]) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await api.json()).toMatchObject({ error: 'unavailable' });
    expect(await page.text()).toMatch(/database|a few seconds/i);
  }

  async function expectBack(): Promise<void> {
    await until(async () => (await fetch(`${server.origin}/healthz`)).ok, 60_000, 'Not healthy again.');
    await until(async () => (await fetch(`${beside.origin}/healthz`)).ok, 60_000, 'The other is not.');
    const made = await callTool(server.origin, token, 'document_create', {
      title: 'After',
      markdown: '# After',
    });
    expect(made.status).toBe(200);
    expect(made.body.result!.isError).toBeUndefined();
    expect((await admin.api('GET', '/projects')).status).toBe(200);
    // Jobs: the event of that document goes out.
    await until(
      async () => {
        const [row] = await sql<{ n: string }>(
          server,
          'SELECT count(*) AS n FROM platform.outbox_events WHERE dispatched_at IS NULL',
        );
        return row!.n === '0';
      },
      15_000,
      'Events wait in the outbox.',
    );
    // A flag that is changed here shows there, by a signal once both listen again and by the poll before that.
    await pause(3_000);
    for (const value of [true, false]) {
      await admin.api('PUT', '/admin/flags/inbox.enabled', { value });
      await until(
        async () => {
          const session = await admin.request(`${beside.origin}/api/session`);
          const { flags } = (await session.json()) as { flags: Record<string, boolean> };
          return flags['inbox.enabled'] === value;
        },
        6_000,
        'The flag did not arrive, by signal or by poll.',
      );
    }
  }
});
