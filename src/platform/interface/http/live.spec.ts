import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { PostgresSignals } from '#libs/messaging/postgres-signals.js';
import { Database } from '#libs/persistence/database.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { pause, until } from '../../../../test/support/until.js';
import { ResetFlag } from '../../application/commands/reset-flag.js';
import { SetFlag } from '../../application/commands/set-flag.js';
import { LiveStreams } from '../../application/live-streams.js';
import { SessionCheck } from '../../application/ports/session-check.js';
import { LiveEventLog } from '../../infrastructure/live-event-log.js';
import { PageStream } from '../../testing/page-stream.js';
import { ADMIN_ID, as, PERSON_ID, type PlatformApp, startPlatform } from '../../testing/platform-app.js';

const P1 = '0195c0de-0000-7000-8000-0000000000f1';
const P2 = '0195c0de-0000-7000-8000-0000000000f2';
const SUBJECT = '0195c0de-0000-7000-8000-0000000000d1';
const admin = { kind: 'person', personId: ADMIN_ID, sessionId: 's', isAdmin: true } as const;

describe('Event streams', () => {
  let test: TestDatabase;
  let one: PlatformApp;
  let two: PlatformApp;
  let pages: PageStream[] = [];
  const endedSessions = new Set<string>();

  beforeAll(async () => {
    // A place in the log lies before every open transaction of the server: those of other suites would have pages hear
    // again what they heard.
    test = await TestDatabase.start({ pool: 10, alone: true });
    one = await startPlatform(test.url, { role: 'web' });
    two = await startPlatform(test.url, { role: 'web' });
    for (const app of [one, two]) {
      app.get(SessionCheck).register(async (sessionId) => !endedSessions.has(sessionId));
    }
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await test.stop();
  });
  afterEach(async () => {
    for (const page of pages) page.close();
    pages = [];
    one.access.closed.clear();
    endedSessions.clear();
    await until(() => one.get(LiveStreams).count + two.get(LiveStreams).count === 0);
  });

  const open = async (
    topics: string,
    options: { app?: PlatformApp; lastId?: string | null; session?: string } = {},
  ): Promise<PageStream> => {
    const page = await PageStream.open(`${(options.app ?? one).url}/api/live?topics=${topics}`, {
      ...as('person', options.session as 'person'),
      ...(options.lastId ? { 'Last-Event-ID': options.lastId } : {}),
    });
    pages.push(page);
    return page;
  };
  const publish = (topic: string, type: string, version?: number) =>
    one.get(LiveUpdates).publish(topic, { type, subjectId: SUBJECT, version });

  it('sends what happened on its topics, never content, to pages of every process', async () => {
    const here = await (await open(`project:${P1}:documents,me`)).placed();
    const there = await (await open(`project:${P1}:documents`, { app: two })).placed();
    await publish(`project:${P1}:documents`, 'version', 3);
    await publish(`project:${P1}:board`, 'moved');
    await publish(`project:${P2}:documents`, 'version', 1);
    await publish(`me:${PERSON_ID}`, 'sessions');
    await publish(`me:${ADMIN_ID}`, 'sessions');
    await until(() => here.updates.length === 2 && there.updates.length === 1);
    await pause(100);
    expect(here.updates).toEqual([
      {
        topic: `project:${P1}:documents`,
        type: 'version',
        subjectId: SUBJECT,
        version: 3,
        at: expect.any(String),
      },
      {
        topic: `me:${PERSON_ID}`,
        type: 'sessions',
        subjectId: SUBJECT,
        version: null,
        at: expect.any(String),
      },
    ]);
    expect(there.updates).toHaveLength(1);
    expect(here.response.headers.get('content-type')).toContain('text/event-stream');
    expect(here.response.headers.get('x-accel-buffering')).toBe('no');
    expect(here.response.headers.get('cache-control')).toContain('no-store');
  });

  it('sends after the commit only', async () => {
    const page = await (await open(`project:${P1}`)).placed();
    await one
      .get(Database)
      .run(async () => {
        await publish(`project:${P1}`, 'lost');
        throw new Error('refused');
      })
      .catch(() => undefined);
    await publish(`project:${P1}`, 'kept');
    await until(() => page.updates.length > 0);
    expect(page.updates.map(({ type }) => type)).toEqual(['kept']);
  });

  it('replays what a page missed, once, also in another process', async () => {
    const page = await (await open(`project:${P1}`)).placed();
    await publish(`project:${P1}`, 'seen');
    await until(() => page.updates.length === 1);
    page.close();
    await publish(`project:${P1}`, 'missed-1');
    await publish(`project:${P2}`, 'foreign');
    await publish(`project:${P1}`, 'missed-2');
    const back = await open(`project:${P1}`, { app: two, lastId: page.lastId });
    await until(() => back.updates.length === 2);
    await publish(`project:${P1}`, 'new');
    await until(() => back.updates.length === 3);
    expect(back.updates.map(({ type }) => type)).toEqual(['missed-1', 'missed-2', 'new']);
  });

  it('misses no event of a transaction that began earlier and committed later', async () => {
    const page = await (await open(`project:${P1}`)).placed();
    let commit: () => void = () => undefined;
    const slow = one.get(Database).run(async () => {
      await publish(`project:${P1}`, 'slow');
      await new Promise<void>((done) => {
        commit = done;
      });
    });
    await pause(50);
    await publish(`project:${P1}`, 'quick');
    await until(() => page.updates.length === 1);
    page.close();
    commit();
    await slow;
    const back = await open(`project:${P1}`, { lastId: page.lastId });
    await until(() => back.updates.some(({ type }) => type === 'slow'));
    expect(page.updates.map(({ type }) => type)).toEqual(['quick']);
  });

  it('asks for a reload when more than 1,000 events or 10 minutes were missed, or the id is no cursor', async () => {
    const page = await (await open(`project:${P1}`)).placed();
    page.close();
    await test.database.query(
      `INSERT INTO platform.live_events (topic, type, subject_id) SELECT $1, 'many', 's' FROM generate_series(1, 1001)`,
      [`project:${P1}`],
    );
    const { lastId } = page;
    const [id, openFrom, at] = lastId!.split('-');
    const tries = [
      lastId!,
      `${id}-${openFrom}-${Number(at) - 601_000}`,
      `${Number(id) + 1_000_000}-${openFrom}-${at}`,
      'not-a-cursor',
      '7',
    ];
    for (const cursor of tries) {
      const back = await open(`project:${P1}`, { lastId: cursor });
      await until(() => back.messages.length > 0);
      expect([cursor, back.messages.map(({ event }) => event)]).toEqual([cursor, ['resync']]);
      expect(back.lastId).toMatch(/^\d+-\d+-\d+$/);
    }
    await test.database.query('TRUNCATE platform.live_events');
  });

  it('finds events by its poll when the signal connection is cut', async () => {
    const deaf = await startPlatform(test.url, { role: 'web' });
    await deaf.get(PostgresSignals).stop();
    const page = await (await open(`project:${P1}`, { app: deaf })).placed();
    await publish(`project:${P1}`, 'polled');
    await until(() => page.updates.length === 1, 6_000);
    await deaf.stop();
    expect(page.retry).toBeGreaterThanOrEqual(1_000);
    expect(page.retry).toBeLessThanOrEqual(5_000);
  });

  it('closes at once when the person loses the project, and when the session ends', async () => {
    const member = await (await open(`project:${P1}`, { session: 'a' })).placed();
    const other = await (await open(`project:${P2}`, { session: 'b' })).placed();
    const out = await (await open('me', { session: 'c' })).placed();
    one.access.closed.add(P1);
    await one.get(Signals).publish('access', { person: PERSON_ID, project: P1, cause: 'MemberRemoved' });
    await until(() => member.ended, 5_000);
    expect([other.ended, out.ended]).toEqual([false, false]);
    endedSessions.add('c');
    await one.get(Signals).publish('access', { person: PERSON_ID, cause: 'logout' });
    await until(() => out.ended, 5_000);
    expect(other.ended).toBe(false);
    expect(member.retry).toBeGreaterThanOrEqual(1_000);
  });

  it('closes within 10 s of lost access when the signal is lost', async () => {
    const page = await (await open(`project:${P1}`)).placed();
    one.access.closed.add(P1);
    await until(() => page.ended, 11_000);
  }, 15_000);

  it('answers 404 for a project without access, 401 to nobody, and 422 for unknown topics', async () => {
    one.access.closed.add(P2);
    expect((await open(`project:${P1},project:${P2}`)).response.status).toBe(404);
    expect((await fetch(`${one.url}/api/live?topics=me`)).status).toBe(401);
    for (const topics of ['', 'me:other', `project:${P1}:secrets`, `project:${P1}:board:x`, 'project:nope']) {
      expect([topics, (await open(topics)).response.status]).toEqual([topics, 422]);
    }
    const many = Array.from(
      { length: 21 },
      (_, n) => `project:0195c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
    );
    expect((await open(many.join(','))).response.status).toBe(422);
    expect((await open(many.slice(1).join(','))).response.status).toBe(200);
  });

  it('gives one session 10 streams', async () => {
    for (let n = 0; n < 10; n += 1) await (await open('me', { session: 'many' })).placed();
    const eleventh = await open('me', { session: 'many' });
    expect(eleventh.response.status).toBe(429);
    expect((await open('me', { session: 'another' })).response.status).toBe(200);
    pages[0]!.close();
    await until(() => one.get(LiveStreams).count === 10);
    expect((await open('me', { session: 'many' })).response.status).toBe(200);
  });

  it('answers 204 while live updates are off, and lets go of open pages', async () => {
    const page = await (await open('me')).placed();
    await one.get(SetFlag).execute(admin, { name: 'live_updates.enabled', value: false });
    await until(() => page.ended, 5_000);
    expect((await open('me')).response.status).toBe(204);
    await one.get(ResetFlag).execute(admin, { name: 'live_updates.enabled' });
    await until(async () => (await open('me')).response.status === 200);
  });

  it('refuses topics of another form, and forgets events after an hour', async () => {
    await expect(publish('everything', 'x')).rejects.toThrow('is no topic');
    await publish(`project:${P1}`, 'old');
    await test.database.query("UPDATE platform.live_events SET at = now() - interval '61 minutes'");
    await one.get(LiveEventLog).purge();
    expect(await test.database.query('SELECT 1 FROM platform.live_events')).toEqual([]);
  });
});
