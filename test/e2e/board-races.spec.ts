import { freePort } from '#libs/configuration/loopback-ports.js';
import { ClientSite } from '../support/agent.js';
import { BoardAgent } from '../support/board-agent.js';
import type { Json } from '../support/loupe-app.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, signedIn, sql } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

/** Two processes of the built server on one database, and many writers at once. */
describe('the board with many writers at two processes', () => {
  let site: ClientSite;
  let first: LoupeServer;
  let second: LoupeServer;
  let ada: Visitor;

  beforeAll(async () => {
    site = await ClientSite.start();
    const port = await freePort();
    const env = { ...site.env, ...adminEnv, DEFAULT_URI: `http://localhost:${port}` };
    first = await LoupeServer.start({ port, env });
    second = await LoupeServer.start({ beside: first, env });
    ada = await signedIn(first.origin);
    await liftRateLimit(ada);
  }, 120_000);

  afterAll(async () => {
    await second?.stop();
    await first?.stop();
    await site?.stop();
  });

  async function board() {
    const made = await ada.api<{ id: string }>('POST', '/projects', { name: 'Race', templateKey: 'simple' });
    const projectId = made.body.id;
    const one = await BoardAgent.signedIn(ada, projectId, first.origin);
    const api = (method: string, path: string, body?: unknown) =>
      ada.api<Record<string, Json>>(method, `/projects/${projectId}/board${path}`, body);
    return { projectId, api, agents: [one, one.at(second.origin)] as const };
  }

  /** What no order of writes may break. */
  async function expectSound(projectId: string): Promise<void> {
    const faults = await sql(
      first,
      `SELECT * FROM (
         SELECT c.slug, c.cards AS counted, count(k.id)::int AS held,
           count(k.id) FILTER (WHERE k.completed_at IS NULL)::int AS open,
           count(DISTINCT k.rank) FILTER (WHERE k.completed_at IS NULL)::int AS ranks,
           count(k.id) FILTER (WHERE (k.completed_at IS NOT NULL) <> c.terminal)::int AS wrong
         FROM board.board_column c LEFT JOIN board.card k ON k.column_id = c.id
         WHERE c.project_id = $1 GROUP BY c.id) state
       WHERE counted <> held OR open <> ranks OR wrong > 0`,
      [projectId],
    );
    expect(faults).toEqual([]);
    const [moves] = await sql<{ broken: number }>(
      first,
      `SELECT count(*)::int AS broken FROM (
         SELECT h.payload, lag(h.payload) OVER (PARTITION BY h.card_id ORDER BY h.occurred_at, h.id) AS before
         FROM board.card_history h WHERE h.project_id = $1 AND h.kind IN ('created', 'moved')) steps
       WHERE before IS NOT NULL AND before -> 'to' ->> 'id' <> payload -> 'from' ->> 'id'`,
      [projectId],
    );
    expect(moves!.broken).toBe(0);
  }

  it('50 cards created at once at two processes get the numbers 1 to 50', async () => {
    const { agents, projectId } = await board();
    const cards = await Promise.all(
      Array.from({ length: 50 }, (_, index) => agents[index % 2]!.create(`Card ${index}`)),
    );
    expect(cards.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    await expectSound(projectId);
  });

  it('board 34: one request id at two processes at once makes one card', async () => {
    const { agents } = await board();
    const request = { 'loupe-request-id': crypto.randomUUID() };
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        agents[index % 2]!.call('card_create', { title: 'Once', body: '' }, request),
      ),
    );
    expect(new Set(made.map(({ cardId }) => cardId)).size).toBe(1);
    expect((await agents[0].call('card_list')).total).toBe(1);
  });

  it('a column deleted while cards move into it takes none of them along', async () => {
    const { agents, projectId } = await board();
    for (let round = 0; round < 5; round += 1) {
      const { column } = await agents[0].call('column_create', { label: `Gone ${round}` });
      const cards = await Promise.all(
        Array.from({ length: 10 }, (_, index) => agents[index % 2]!.create(`Card ${round}.${index}`)),
      );
      const moves = cards.map(({ number }, index) =>
        agents[index % 2]!.raw('card_update', { number, status: column.slug }),
      );
      const remove = agents[1].raw('column_delete', { slug: column.slug, targetColumn: 'next' });
      const answers = await Promise.all(moves);
      expect((await remove).body.result?.isError).toBeFalsy();
      for (const { body } of answers) {
        if (!body.result?.isError) continue;
        expect(body.result.content?.[0]?.text).toMatch(
          /^status: (That column no longer exists on this board\.|Unknown status ")/,
        );
      }
      const stayed = answers.filter(({ body }) => body.result?.isError).length;
      const list = await agents[0].call('card_list', { perPage: 100 });
      const mine = list.cards.filter(({ title }: { title: string }) => title.startsWith(`Card ${round}.`));
      expect(mine).toHaveLength(10);
      expect(mine.filter(({ status }: { status: string }) => status === 'backlog')).toHaveLength(stayed);
    }
    await expectSound(projectId);
  });

  it('ten columns made at once are ten columns, and each call answers its own', async () => {
    const { agents } = await board();
    const labels = Array.from({ length: 10 }, (_, index) => `Stage ${index}`);
    const made = await Promise.all(
      labels.map((label, index) => agents[index % 2]!.call('column_create', { label })),
    );
    expect(made.map(({ column }) => column.label)).toEqual(labels);
    const renamed = await Promise.all(
      labels.map((_, index) =>
        agents[index % 2]!.call('column_update', { slug: `stage-${index}`, label: `Step ${index}` }),
      ),
    );
    expect(renamed.map(({ column }) => column.slug)).toEqual(labels.map((_, index) => `step-${index}`));
    expect((await agents[0].call('board_columns')).columns).toHaveLength(14);
  });

  it('two moves of one card that both believe in its column: one wins, the other is told where it is', async () => {
    const { agents, api, projectId } = await board();
    const { columns } = (await api('GET', '/columns')).body;
    const id = (slug: string) => columns.find((one: { slug: string }) => one.slug === slug).columnId;
    for (let round = 1; round <= 10; round += 1) {
      const card = await agents[0].create(`Card ${round}`);
      const answers = await Promise.all(
        ['next', 'in-progress'].map((slug) =>
          api('POST', `/cards/${card.cardId}/move`, { columnId: id(slug), fromColumnId: id('backlog') }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      const { status } = await agents[1].get(card.number);
      expect(refused.body).toMatchObject({ error: 'stale_column', current: { columnId: id(status) } });
      const { total } = await agents[0].call('card_get_history', { number: card.number });
      expect(total).toBe(2);
    }
    await expectSound(projectId);
  });

  it('a card never becomes parent and child at once', async () => {
    const { agents, projectId } = await board();
    for (let round = 0; round < 10; round += 1) {
      const [card, epic, child] = await Promise.all([
        agents[0].create('Torn'),
        agents[0].create('Epic', { type: 'epic' }),
        agents[1].create('Child'),
      ]);
      await agents[0].update(card.number, { type: 'epic' });
      const answers = await Promise.all([
        agents[0].raw('card_update', { number: card.number, type: 'feature', parentCardId: epic.cardId }),
        agents[1].raw('card_update', { number: child.number, parentCardId: card.cardId }),
      ]);
      expect(answers.filter(({ body }) => !body.result?.isError)).toHaveLength(1);
    }
    const [nested] = await sql<{ count: number }>(
      first,
      `SELECT count(*)::int FROM board.card c JOIN board.card p ON p.id = c.parent_card_id
       WHERE c.project_id = $1 AND p.parent_card_id IS NOT NULL`,
      [projectId],
    );
    expect(nested!.count).toBe(0);
  });

  it('links written from both ends at once end in one state that reads the same from both', async () => {
    const { agents } = await board();
    const [a, b] = await Promise.all([agents[0].create('A'), agents[1].create('B')]);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        agents[0].update(a.number, { relatedCards: [{ cardId: b.cardId, kind: 'blocks' }] }),
        agents[1].update(b.number, { relatedCards: round % 2 ? [] : [{ cardId: a.cardId, kind: 'blocks' }] }),
      ]);
      const [left, right] = [await agents[0].get(a.number), await agents[1].get(b.number)];
      const other: Record<string, string> = { blocks: 'blocked-by', 'blocked-by': 'blocks' };
      expect(left.relatedCards.map((link: { kind: string }) => other[link.kind])).toEqual(
        right.relatedCards.map((link: { kind: string }) => link.kind),
      );
    }
  });

  it('a hundred moves of twenty cards at once leave every column in order', async () => {
    const { agents, projectId } = await board();
    const cards = await Promise.all(
      Array.from({ length: 20 }, (_, index) => agents[index % 2]!.create(`Card ${index}`)),
    );
    const slugs = ['next', 'in-progress', 'done', 'backlog'];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        agents[index % 2]!.raw('card_update', {
          number: cards[index % 20]!.number,
          status: slugs[(index * 7) % 4],
        }),
      ),
    );
    expect(answers.filter(({ body }) => body.result?.isError)).toEqual([]);
    await expectSound(projectId);
  });
});
