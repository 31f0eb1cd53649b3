import { randomUUID } from 'node:crypto';
import { PageStream } from '#src/platform/testing/page-stream.js';
import { BoardAgent } from '../support/board-agent.js';
import { DeviceClient } from '../support/device-client.js';
import { Front } from '../support/front.js';
import type { Json } from '../support/loupe-app.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Replicas } from '../support/replicas.js';
import { liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { type Deed, SoakLoad, toolDeed } from '../support/soak-load.js';
import { pause, until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

/** `npm run test:soak` sets these to 200 calls a second for a minute. */
const PER_SECOND = Number(process.env.LOUPE_SOAK_RATE ?? 20);
/** A busy machine of tests is not flooded: there the agents wait for their answers. */
const AT_ONCE = Number(process.env.LOUPE_SOAK_AT_ONCE ?? 8);
const SECONDS = Number(process.env.LOUPE_SOAK_SECONDS ?? 1);

const MOVERS = 10;
const THREADS = 8;
const SHORT = 'A step of the plan, as an agent writes it.\n\n';

/** What was written with a mark of its own, by the mark. */
interface Written {
  readonly sent: Set<string>;
  readonly answered: Set<string>;
}

const written = (): Written => ({ sent: new Set(), answered: new Set() });

/**
 * Two web processes and a worker behind one database, agents that call all the time, and each process in turn stopped
 * and started again, as in a deploy (`platform.md` 16.4).
 */
describe('a deploy under load', () => {
  let postgres: OwnPostgres;
  let front: Front;
  let replicas: Replicas;
  let admin: Visitor;
  let token: string;
  let agent: BoardAgent;
  let projectId: string;
  let load: SoakLoad;
  let documentId: string;
  let threads: string[];
  let columns: string[];
  const movers: { number: number; busy: boolean; last: string; maybe: Set<string> }[] = [];
  const documents = written();
  const cards = written();
  const replies = written();
  const comments = written();
  const documentIds = new Set<string>();
  let stream: PageStream;
  const seen = new Set<string>();
  const figures = { streams: 0, resyncs: 0, restarts: [] as string[] };

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    front = await Front.start();
    replicas = await Replicas.start({
      databaseUrl: postgres.url,
      publicUrl: front.url,
      // Only there a stop waits until those in front have noticed.
      profile: 'prod',
    });
    front.serve(replicas.webs.map(({ port }) => port));
    admin = await signedIn(front.url);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'Under load');
    const device = await DeviceClient.start(front.url, 'build-mac');
    await admin.submit(await admin.open(device.verificationUriComplete), { answer: 'allow' });
    token = (await device.poll()).access_token;
    agent = new BoardAgent(front.url, token);
    columns = (await agent.call('board_columns')).columns
      .map(({ slug }: { slug: string }) => slug)
      .slice(0, 3);
    for (let at = 0; at < MOVERS; at += 1) {
      const { number } = await agent.create(`Mover ${at}`, { status: columns[0] });
      movers.push({ number, busy: false, last: columns[0]!, maybe: new Set() });
    }
    documentId = (await agent.call('document_create', { title: 'Talk', markdown: '# Talk\n\nAbout it.' }))
      .documentId;
    threads = [];
    for (let at = 0; at < THREADS; at += 1) {
      const { status, body } = await admin.api<{ id: string }>(
        'POST',
        `/projects/${projectId}/documents/${documentId}/comments`,
        { version: 1, body: `Thread ${at}` },
      );
      if (status !== 201) throw new Error(`No thread: ${status} ${JSON.stringify(body)}`);
      threads.push(body.id);
    }
  }, 480_000);

  afterAll(async () => {
    stream?.close();
    load?.close();
    await front?.stop();
    await replicas?.stop();
    await postgres?.stop();
  });

  it('platform 19.21: with agents that call all the time, no restart fails a call that cannot be repeated, nothing is lost or doubled, and the open page stays live', async () => {
    const session = (await (await admin.request('/api/session')).json()) as { csrfToken: string };
    const cookie = admin.cookiesFor(front.url).map(({ name, value }) => `${name}=${value}`);
    const browser = {
      'content-type': 'application/json',
      cookie: cookie.join('; '),
      'loupe-csrf-token': session.csrfToken,
      origin: front.url,
    };
    load = new SoakLoad(front.url, PER_SECOND, AT_ONCE, () => nextDeed(browser));
    let over = false;
    const page = followPage(browser.cookie, () => over);
    const turn = eachInTurn();
    let turned = false;
    turn.finally(() => (turned = true)).catch(() => undefined);
    const began = performance.now();
    const seconds = await load.run(() => turned && performance.now() - began > SECONDS * 1_000);
    await turn;
    const last = await agent.call('document_create', { title: randomUUID(), markdown: '# The last' });
    documentIds.add(last.documentId);
    await until(() => seen.has(last.documentId), 30_000, 'The page heard nothing of the last document.');
    over = true;
    stream.close();
    await page;
    report(seconds);
    expect(load.failures).toEqual([]);
    // Everything that was announced reached the page, or it was told to read anew.
    if (figures.resyncs === 0) expect([...documentIds].filter((id) => !seen.has(id))).toEqual([]);
    expect(figures.streams).toBeGreaterThan(1);
  }, 600_000);

  it('platform 19.21: every write is there once', async () => {
    const titles = {
      documents: await all('document_list', 'documents'),
      cards: await all('card_list', 'cards'),
    };
    expectOnce(
      documents,
      titles.documents.map(({ title }) => title),
    );
    expectOnce(
      cards,
      titles.cards.map(({ title }) => title),
    );
    const bodies = await Promise.all(threads.map((id) => thread(id)));
    expectOnce(replies, bodies.flat());
    expectOnce(comments, await openThreads());
    const byNumber = new Map<number, string>(titles.cards.map((card) => [card.number, card.status]));
    for (const { number, last, maybe } of movers) {
      expect([last, ...maybe]).toContain(byNumber.get(number)!);
    }
  });

  it('platform 8.1: every event is delivered, and no job was given up', async () => {
    await until(
      async () => (await postgres.count('platform.outbox_events WHERE dispatched_at IS NULL')) === 0,
      30_000,
      'Events wait in the outbox.',
    );
    await until(
      async () => (await postgres.count('platform.listener_records WHERE delivered_at IS NULL')) === 0,
      60_000,
      'Events were handed out and not delivered.',
    );
    expect(await postgres.count('platform.dead_jobs')).toBe(0);
  }, 120_000);

  /** Stops each process as a deploy does, and starts it again; the next one only when this one serves. */
  async function eachInTurn(): Promise<void> {
    await pause(1_000);
    for (const replica of [...replicas.webs, ...replicas.workers]) {
      const began = performance.now();
      expect([replica.name, await replica.end('SIGTERM')]).toEqual([replica.name, 0]);
      const stopped = performance.now();
      await replica.start();
      await until(
        () => replica.port === 0 || front.isHealthy(replica.port),
        30_000,
        'Not in the front again.',
      );
      figures.restarts.push(
        `${replica.name}: ${seconds(stopped - began)} to stop, ${seconds(performance.now() - stopped)} to serve`,
      );
      await pause(500);
    }
  }

  /** As an open page does: comes back with its cursor when the stream ends. */
  async function followPage(cookie: string, over: () => boolean): Promise<void> {
    let lastId: string | null = null;
    while (!over()) {
      stream = await PageStream.open(`${front.url}/api/live?topics=project:${projectId}:documents`, {
        cookie,
        ...(lastId !== null && { 'last-event-id': lastId }),
      });
      if (stream.response.status === 200) figures.streams += 1;
      for (let taken = 0; !over(); ) {
        for (const { event, data } of stream.messages.slice(taken)) {
          if (event === 'resync') figures.resyncs += 1;
          else seen.add(String(data.subjectId));
        }
        taken = stream.messages.length;
        if (stream.ended && taken === stream.messages.length) break;
        await pause(250);
      }
      lastId = stream.lastId ?? lastId;
      if (!over()) await pause(Math.min(stream.retry ?? 1_000, 5_000));
    }
  }

  function nextDeed(browser: Record<string, string>): Deed {
    const dice = Math.random() * 100;
    if (dice < 50) return read(dice / 50);
    if (dice < 70)
      return mark(documents, 'document_create', (title) => ({ title, markdown: text() }), dice < 65);
    if (dice < 82) return mark(cards, 'card_create', (title) => ({ title, body: SHORT }), dice < 78);
    if (dice < 90) {
      const commentId = pick(threads);
      return mark(replies, 'document_reply_to_comment', (body) => ({ commentId, body }), dice < 88);
    }
    if (dice < 93) return comment(browser);
    return move() ?? read(0);
  }

  function read(dice: number): Deed {
    const [name, args] = pick<[string, object]>([
      ['project_current', {}],
      ['document_list', { perPage: 20 }],
      ['document_get', { documentId }],
      ['card_list', { perPage: 20 }],
      ['card_get', { number: movers[Math.floor(dice * MOVERS) % MOVERS]!.number }],
      ['board_columns', {}],
    ]);
    return toolDeed(token, name, args, { repeatable: true });
  }

  /** A write with a mark of its own; a part of them carries no id, so they may be sent once only. */
  function mark(kind: Written, name: string, args: (mark: string) => object, requestId: boolean): Deed {
    const own = randomUUID();
    kind.sent.add(own);
    return toolDeed(token, name, args(own), {
      requestId,
      done: (answer) => {
        kind.answered.add(own);
        if (kind === documents) documentIds.add(structured(answer).documentId!);
      },
    });
  }

  function comment(browser: Record<string, string>): Deed {
    const own = randomUUID();
    comments.sent.add(own);
    return {
      kind: 'comment in the browser',
      method: 'POST',
      path: `/api/projects/${projectId}/documents/${documentId}/comments`,
      headers: { ...browser, 'loupe-request-id': randomUUID() },
      body: JSON.stringify({ version: 1, body: own }),
      repeatable: true,
      done: () => comments.answered.add(own),
    };
  }

  /** Each card is moved by one mover at a time, so that the last answered place is where it must be. */
  function move(): Deed | null {
    const mover = movers.find(({ busy }) => !busy);
    if (!mover) return null;
    const status = pick(columns);
    mover.busy = true;
    mover.maybe.add(status);
    return toolDeed(
      token,
      'card_update',
      { number: mover.number, status },
      {
        repeatable: true,
        done: () => {
          mover.last = status;
          mover.maybe.clear();
          mover.busy = false;
          movers.push(movers.shift()!);
        },
        gaveUp: () => (mover.busy = false),
      },
    );
  }

  function expectOnce({ sent, answered }: Written, found: readonly string[]): void {
    const ours = found.filter((mark) => sent.has(mark));
    expect([...answered].filter((mark) => !ours.includes(mark))).toEqual([]);
    expect(ours.filter((mark, at) => ours.indexOf(mark) !== at)).toEqual([]);
    expect(answered.size).toBeGreaterThan(0);
  }

  async function all(tool: string, list: string): Promise<Record<string, Json>[]> {
    const rows: Record<string, Json>[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await agent.call(tool, { page, perPage: 100 });
      rows.push(...answer[list]);
      if (!answer.hasMore) return rows;
    }
  }

  async function thread(id: string): Promise<string[]> {
    const { body } = await admin.api<{ replies: { body: string }[] }>(
      'GET',
      `/projects/${projectId}/documents/${documentId}/comments/${id}`,
    );
    return body.replies.map((reply) => reply.body);
  }

  async function openThreads(): Promise<string[]> {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const answer = await agent.call('document_get_review', {
        documentId,
        limit: 200,
        ...(after !== '' && { after }),
      });
      found.push(...answer.comments.map(({ body }: { body: string }) => body));
      if (!answer.hasMore) return found;
      after = answer.nextAfter;
    }
  }

  function report(lasted: number): void {
    const ms = (p: number) => `${load.percentile(p).toFixed(0)} ms`;
    const kinds = [...load.times].map(([kind, { length }]) => `${kind} ${length}`).sort();
    const all = [documents, cards, replies, comments];
    const sum = (of: (kind: Written) => number) => all.reduce((total, kind) => total + of(kind), 0);
    process.stdout.write(
      [
        '',
        `${load.calls} calls in ${lasted.toFixed(0)} s (${(load.calls / lasted).toFixed(0)} a second): ${kinds.join(', ')}`,
        `until their good answer, repeats included: median ${ms(0.5)}, p95 ${ms(0.95)}, p99 ${ms(0.99)}, worst ${ms(1)}`,
        `repeated after 503 or a refused connection: ${load.repeats.unavailable}; after being cut off: ${load.repeats.cut}; failed: ${load.failures.length}; held back: ${load.heldBack}`,
        `front: ${JSON.stringify(front.figures)}`,
        `writes with a mark: ${sum(({ sent }) => sent.size)} sent, ${sum(({ answered }) => answered.size)} answered`,
        `page: ${figures.streams} streams, ${figures.resyncs} resyncs, ${seen.size} documents announced`,
        ...figures.restarts,
        '',
      ].join('\n'),
    );
  }
});

function structured(answer: string): Record<string, string> {
  return (JSON.parse(answer) as { result: { structuredContent: Record<string, string> } }).result
    .structuredContent;
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)]!;
}

/** Mostly short, sometimes a real plan. */
function text(): string {
  return `# Plan\n\n${SHORT.repeat(Math.random() < 0.1 ? 200 : 5)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
