import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { RedisServer, redisBinary } from '#libs/messaging/testing/redis-server.js';
import { PageStream } from '#src/platform/testing/page-stream.js';
import { DeviceClient } from '../support/device-client.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Replicas } from '../support/replicas.js';
import { ADMIN, callTool, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { type Deed, SoakLoad, toolDeed } from '../support/soak-load.js';
import { pause, until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const TAKEN_UP_MS = 90_000;

/** Two web processes and a worker on a database beside them, where a test may take away whatever they stand on. */
class Stage {
  private constructor(
    readonly postgres: OwnPostgres,
    readonly mails: MailCatcher,
    readonly replicas: Replicas,
    readonly admin: Visitor,
    readonly projectId: string,
    readonly token: string,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<Stage> {
    const postgres = await OwnPostgres.start();
    const mails = await MailCatcher.start();
    const replicas = await Replicas.start({
      databaseUrl: postgres.url,
      env: { MAILER_DSN: mails.dsn, MAILER_FROM_ADDRESS: 'loupe@example.com', ...env },
    }).catch(async (error: unknown) => {
      await mails.stop();
      await postgres.stop();
      throw error;
    });
    const origin = replicas.webs[0]!.origin;
    const admin = await signedIn(origin);
    await liftRateLimit(admin);
    const projectId = await newProject(admin, 'Steady');
    const device = await DeviceClient.start(origin, 'build-mac');
    await admin.submit(await admin.open(device.verificationUriComplete), { answer: 'allow' });
    return new Stage(postgres, mails, replicas, admin, projectId, (await device.poll()).access_token);
  }

  async stop(): Promise<void> {
    await this.replicas.stop();
    await this.mails.stop();
    await this.postgres.stop();
  }

  get worker() {
    return this.replicas.workers[0]!;
  }

  /** As a machine that goes away: the worker ends amid its work, and another one starts. */
  async replaceWorker(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.worker.end('SIGKILL');
    await meanwhile();
    await this.worker.start();
  }

  /** Keeps everybody from a table until it is called again. Done when somebody waits for it. */
  async blocked(table: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return async () => {
      await client.query('ROLLBACK');
      await client.end();
    };
  }

  /** Somebody stands before a table that is blocked. */
  waitsFor(words: string): Promise<void> {
    return until(
      async () =>
        (await this.postgres.count(
          `pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'loupe-worker'
             AND query ILIKE '%${words}%'`,
        )) > 0,
      TAKEN_UP_MS,
      'The worker never came to it.',
    );
  }

  /** What the processes wrote about a fault of which a client got the reference alone. */
  logOf(text: string): string[] {
    const reference = /Reference: ([0-9a-f-]{36})/.exec(text)?.[1];
    const lines = this.replicas.webs.flatMap(({ log }) => log.split('\n'));
    return reference === undefined ? [] : lines.filter((line) => line.includes(reference));
  }

  async document(title: string): Promise<string> {
    const { body } = await callTool(this.replicas.webs[1]!.origin, this.token, 'document_create', {
      title,
      markdown: `# ${title}`,
    });
    const id = body.result?.structuredContent?.documentId;
    if (typeof id !== 'string') throw new Error(`No document: ${JSON.stringify(body)}`);
    return id;
  }

  async allDelivered(): Promise<void> {
    await until(
      async () =>
        (await this.postgres.count('platform.outbox_events WHERE dispatched_at IS NULL')) === 0 &&
        (await this.postgres.count('platform.listener_records WHERE delivered_at IS NULL')) === 0,
      TAKEN_UP_MS,
      'Events are not delivered.',
    );
    expect(await this.postgres.count('platform.dead_jobs')).toBe(0);
  }

  /** Asks for links for these people, while the first letter is held up: the others wait in the queue. */
  async lettersInTheQueue(emails: readonly string[]): Promise<() => void> {
    let open = (): void => undefined;
    const opened = new Promise<void>((done) => {
      open = done;
    });
    let held = false;
    this.mails.beforeRecipient = async () => {
      held = true;
      await opened;
    };
    for (const [at, email] of emails.entries()) {
      await this.postgres.sql(
        `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
         VALUES (gen_random_uuid(), $1, $1, 'Somebody', 'none', now(), now(), now())`,
        [email],
      );
      const visitor = new Visitor(this.replicas.webs[at % 2]!.origin, {
        'x-forwarded-for': `198.51.100.${at}`,
      });
      await visitor.submit(await visitor.open('/forgot-password'), { email });
    }
    await until(() => held, TAKEN_UP_MS, 'No letter went out.');
    return () => {
      this.mails.beforeRecipient = async () => undefined;
      open();
    };
  }

  /** Every one of them got one letter, and the schedules are there again. */
  async expectWholeAgain(emails: readonly string[]): Promise<void> {
    await until(
      () => emails.every((email) => this.mails.to(email).length > 0),
      TAKEN_UP_MS,
      'Letters did not come back.',
    );
    await this.allDelivered();
    await until(
      async () => {
        await pause(250);
        const { body } = await this.admin.api('GET', '/admin/jobs?tab=schedules');
        return /reconcile/.test(JSON.stringify(body)) && /purge-audit/.test(JSON.stringify(body));
      },
      TAKEN_UP_MS,
      'The schedules did not come back.',
    );
    expect(emails.map((email) => this.mails.to(email).length)).toEqual(emails.map(() => 1));
  }

  /** Guesses from one address, over both processes and side by side. @returns how many of them were looked at */
  async guessedPasswords(ip: string): Promise<number> {
    const guess = async (at: number): Promise<number> => {
      const visitor = new Visitor(this.replicas.webs[at % 2]!.origin, { 'x-forwarded-for': ip });
      const page = await visitor.open('/login');
      const password = at === 59 ? ADMIN.password : `guess number ${at}`;
      const { status } = await visitor.submit(page, { email: ADMIN.email, password });
      // A process whose connections are all taken looks at nothing.
      if (status !== 503) return status;
      await pause(500);
      return guess(at);
    };
    // The right one comes last, when the limit is long reached.
    const first = await Promise.all(Array.from({ length: 24 }, (_, at) => guess(at)));
    const last = [await guess(59), await guess(58)];
    expect(last).toEqual([429, 429]);
    expect(first.filter((status) => status !== 422 && status !== 429)).toEqual([]);
    return first.filter((status) => status === 422).length;
  }

  /** Guessed codes and tokens at the token endpoint. @returns how many were looked at */
  async guessedTokens(ip: string): Promise<number> {
    const statuses: number[] = [];
    const guess = async (at: number): Promise<void> => {
      const response = await fetch(`${this.replicas.webs[at % 2]!.origin}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': ip },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: 'loupe-cli',
          refresh_token: randomUUID(),
        }),
      });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    };
    for (let at = 0; at < 160; at += 8) await Promise.all(Array.from({ length: 8 }, (_, n) => guess(at + n)));
    expect(statuses.filter((status) => status !== 400 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 400).length;
  }
}

describe('replicas on one PostgreSQL', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.start();
  }, 480_000);

  afterAll(() => stage?.stop());

  it('platform 19.16: a worker is killed in the middle of an export, and another one makes it, once', async () => {
    const open = await stage.blocked('documents.document');
    expect((await stage.admin.api('POST', '/account/exports')).status).toBe(202);
    await stage.waitsFor('documents.document');
    await stage.replaceWorker(async () => {
      await open();
      // Three minutes pass: the time after which an export of a silent worker is taken over.
      await stage.postgres.sql("UPDATE platform.exports SET held_until = now() - interval '1 second'");
    });
    type Row = { state: string; downloadPath: string };
    const rows = async () =>
      (await stage.admin.api<{ exports: Row[] }>('GET', '/account/exports')).body.exports;
    await until(
      async () => {
        await pause(250);
        return (await rows())[0]?.state === 'ready';
      },
      TAKEN_UP_MS,
      'The export was not taken over.',
    );
    expect(await rows()).toHaveLength(1);
    const archive = await stage.admin.request((await rows())[0]!.downloadPath);
    expect([
      archive.status,
      Buffer.from(await archive.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
    const letters = () =>
      stage.mails.to(ADMIN.email).filter(({ subject }) => subject === 'Your data is ready');
    await until(() => letters().length > 0, TAKEN_UP_MS, 'No letter came.');
    await stage.allDelivered();
    expect(letters()).toHaveLength(1);
  }, 240_000);

  it('platform 19.27: a worker is killed in the middle of the purge of a project, and all of it is gone after the next start', async () => {
    const doomed = await newProject(stage.admin, 'Doomed');
    const { webs } = stage.replicas;
    for (let at = 0; at < 5; at += 1) {
      const made = await stage.admin.api('POST', `/projects/${doomed}/documents`, {
        title: `Plan ${at}`,
        markdown: '# Plan',
      });
      expect(made.status).toBe(201);
      const card = await stage.admin.api('POST', `/projects/${doomed}/board/cards`, {
        title: `Card ${at}`,
        body: '',
      });
      expect(card.status).toBe(201);
    }
    await stage.allDelivered();
    const open = await stage.blocked('documents.series');
    const { status } = await stage.admin.api('POST', `/projects/${doomed}/delete`, { typedName: 'Doomed' });
    expect(status).toBe(202);
    // Its documents are deleted, and not yet for good: the next statement waits.
    await stage.waitsFor('documents.series');
    await stage.replaceWorker(open);
    await stage.allDelivered();
    for (const table of ['documents.document', 'documents.document_count', 'board.card', 'board.board'])
      expect([table, await stage.postgres.count(`${table} WHERE project_id = '${doomed}'`)]).toEqual([
        table,
        0,
      ]);
    for (const { origin } of webs) {
      expect((await stage.admin.request(`${origin}/api/projects/${doomed}`)).status).toBe(404);
    }
  }, 240_000);

  it('platform 19.28: schema bullmq is truncated under load, and all that the rows call for is done, once', async () => {
    const emails = Array.from({ length: 8 }, (_, at) => `truncated${at}@example.com`);
    const open = await stage.lettersInTheQueue(emails);
    const load = new SoakLoad(stage.replicas.webs[0]!.origin, 5, 4, () => write(stage));
    let over = false;
    const running = load.run(() => over);
    const tables = await stage.postgres.sql<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname = 'bullmq' AND tablename <> 'migration'`,
    );
    await pause(500);
    await stage.postgres.sql(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
    open();
    await pause(1_000);
    over = true;
    await running;
    load.close();
    expect(load.failures).toEqual([]);
    await stage.expectWholeAgain(emails);
  }, 240_000);

  it.each([
    ['restarted', () => stage.postgres.halt()],
    ['killed and restarted', () => stage.postgres.crash()],
  ])(
    'platform 17: PostgreSQL is %s under load: 503 with Retry-After meanwhile, and all works after, LISTEN included',
    async (_, away) => {
      const loads = stage.replicas.webs.map(
        ({ origin }) => new SoakLoad(origin, 5, 4, () => (Math.random() < 0.5 ? write(stage) : read(stage))),
      );
      let over = false;
      const running = loads.map((load) => load.run(() => over));
      const follow = ({ origin }: { origin: string }) =>
        PageStream.open(`${origin}/api/live?topics=project:${stage.projectId}:documents`, {
          cookie: stage.admin
            .cookiesFor(origin)
            .map(({ name, value }) => `${name}=${value}`)
            .join('; '),
        });
      const streams = await Promise.all(stage.replicas.webs.map(follow));
      await pause(500);
      await away();
      await pause(2_000);
      await stage.postgres.run();
      for (const { origin } of stage.replicas.webs) {
        await until(async () => (await fetch(`${origin}/healthz`)).ok, TAKEN_UP_MS, 'Not healthy again.');
      }
      over = true;
      await Promise.all(running);
      for (const load of loads) {
        load.close();
        expect([...load.statuses.keys()].filter((status) => !EXPECTED.includes(status))).toEqual([]);
        // Far below the hours that a lost connection may hang for.
        expect(load.slowest).toBeLessThan(60_000);
        const strange = load.failures.filter(({ text }) => !NOBODY_KNOWS.test(text));
        expect({ strange, log: strange.flatMap(({ text }) => stage.logOf(text)) }).toEqual({
          strange: [],
          log: [],
        });
      }
      await until(
        async () =>
          (await stage.postgres.count(`pg_stat_activity WHERE application_name = 'loupe-signals'`)) === 3,
        TAKEN_UP_MS,
        'Not every process listens again.',
      );
      const id = await stage.document('After it');
      for (const stream of streams) {
        await until(
          () => stream.updates.some(({ subjectId }) => subjectId === id),
          30_000,
          'A page heard nothing.',
        );
        stream.close();
      }
      for (const [at, { origin }] of stage.replicas.webs.entries()) {
        await stage.admin.api('PUT', '/admin/flags/inbox.enabled', { value: at === 0 });
        await until(
          async () => {
            await pause(250);
            const session = await (await stage.admin.request(`${origin}/api/session`)).json();
            return (session as { flags: Record<string, boolean> }).flags['inbox.enabled'] === (at === 0);
          },
          30_000,
          'The flag did not arrive.',
        );
      }
      await stage.allDelivered();
    },
    240_000,
  );

  it('platform 19.35: a flag that is changed in one process shows in the other, also amid the loss of the signals', async () => {
    const [here, there] = stage.replicas.webs;
    const shows = async (value: boolean): Promise<void> => {
      await stage.admin.api('PUT', '/admin/flags/inbox.enabled', { value });
      await until(
        async () => {
          await pause(250);
          const session = await (await stage.admin.request(`${there!.origin}/api/session`)).json();
          return (session as { flags: Record<string, boolean> }).flags['inbox.enabled'] === value;
        },
        30_000,
        'The flag did not arrive.',
      );
    };
    expect(stage.admin.origin).toBe(here!.origin);
    await shows(true);
    const cut = await stage.postgres.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'loupe-signals'`,
    );
    expect(cut).toHaveLength(3);
    await shows(false);
  });

  it('identity 8: guesses side by side over two processes are counted together, in PostgreSQL', async () => {
    expect(await stage.guessedPasswords('198.51.100.201')).toBeLessThanOrEqual(10);
    expect(await stage.guessedTokens('198.51.100.202')).toBeLessThanOrEqual(120);
  }, 240_000);
});

const redis = redisBinary();
(redis ? describe : describe.skip)('replicas with a Redis', () => {
  let server: RedisServer;
  let stage: Stage;

  beforeAll(async () => {
    server = await RedisServer.start(redis!);
    stage = await Stage.start({ REDIS_URL: server.url });
  }, 480_000);

  afterAll(async () => {
    await stage?.stop();
    await server?.stop();
  });

  it('identity 8: guesses side by side over two processes are counted together, in Redis', async () => {
    expect(await stage.guessedPasswords('198.51.100.201')).toBeLessThanOrEqual(10);
    expect(await stage.guessedTokens('198.51.100.202')).toBeLessThanOrEqual(120);
    const client = new Redis(server.url);
    expect(await client.keys('loupe:rate:login*')).not.toEqual([]);
    client.disconnect();
  }, 240_000);

  it.each([
    [
      'flushed',
      async () => {
        const client = new Redis(server.url);
        await client.flushall();
        client.disconnect();
      },
    ],
    [
      'replaced by an empty one',
      async () => {
        await server.stop();
        await stage.document('While it is away');
        server = await RedisServer.start(redis!, Number(new URL(server.url).port));
      },
    ],
  ])(
    'platform 19.28: Redis is %s under load, and all that the rows call for is done, once',
    async (what, lose) => {
      const emails = Array.from({ length: 8 }, (_, at) => `${what.split(' ')[0]}${at}@example.com`);
      const open = await stage.lettersInTheQueue(emails);
      const load = new SoakLoad(stage.replicas.webs[0]!.origin, 5, 4, () => write(stage));
      let over = false;
      const running = load.run(() => over);
      await pause(500);
      await lose();
      open();
      await pause(1_000);
      over = true;
      await running;
      load.close();
      expect(load.failures).toEqual([]);
      await stage.expectWholeAgain(emails);
    },
    240_000,
  );
});

/** What may come while the database is away and after it. */
const EXPECTED = ['200', '201', '503', '503 without Retry-After'];
/** The one failure that a client may not repeat: the database went while it was asked to commit. */
const NOBODY_KNOWS = /went away while the change was being saved|was cut off\. Look whether/;

function write({ token }: Stage): Deed {
  const title = randomUUID();
  return toolDeed(token, 'document_create', { title, markdown: `# ${title}` }, { requestId: true });
}

function read({ token }: Stage): Deed {
  return toolDeed(token, 'document_list', { perPage: 5 }, { repeatable: true });
}
