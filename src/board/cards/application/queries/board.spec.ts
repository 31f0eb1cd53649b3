import type { DomainEvent } from '#libs/kernel/domain-event.js';
import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { BoardRig } from '../../testing/board-rig.js';
import { CloseStaleRuns } from '../commands/close-stale-runs.js';
import { ConfigureColumn } from '../commands/configure-column.js';
import { DeleteCard } from '../commands/delete-card.js';
import { HoldCard } from '../commands/hold-card.js';
import { SetDocumentCards } from '../commands/set-document-cards.js';
import { SetLaneEnabled } from '../commands/set-lane-enabled.js';
import { UpdateCard } from '../commands/update-card.js';
import { WhenDocumentChanged } from '../reactions/when-document-changed.js';
import { WhenPersonDeleted } from '../reactions/when-person-deleted.js';
import { WhenProjectDeleted } from '../reactions/when-project-deleted.js';
import { NO_FILTER } from './board-cells.js';
import { GetBoard, type GetBoardInput } from './get-board.js';
import { GetBoardChanges } from './get-board-changes.js';
import { GetTiles } from './get-tiles.js';
import { ListBacklog } from './list-backlog.js';
import { ListCards } from './list-cards.js';
import { ListCardsOfDocument } from './list-cards-of-document.js';
import { ListFinishedCards } from './list-finished-cards.js';
import { ListOpenCards } from './list-open-cards.js';
import { SearchCards } from './search-cards.js';
import { SuggestCards } from './suggest-cards.js';

const DAY = 86_400_000;
const ANY_ROW = { q: null, type: null, epic: null, state: null, sort: null, dir: null, page: null };

describe('what a board shows', () => {
  let postgres: TestDatabase;
  let rig: BoardRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await BoardRig.start(postgres.database);
  });
  afterEach(() => rig.stop());

  const board = (input: Partial<GetBoardInput> = {}) =>
    rig.get(GetBoard).execute(rig.owner, { projectId: rig.projectId, ...input });
  const numbers = (tiles: readonly { readonly number: number }[]) => tiles.map((tile) => tile.number);
  const event = (type: string, part: Partial<DomainEvent>): DomainEvent => ({
    id: rig.ids.next(),
    type,
    version: 1,
    aggregateId: rig.ids.next(),
    projectId: rig.projectId,
    personId: null,
    actor: { kind: 'system', id: null },
    payload: {},
    occurredAt: rig.clock.now(),
    ...part,
  });

  test('columns carry their first tiles, the count of all, and no tile of Backlog', async () => {
    await rig.create();
    for (let n = 0; n < 4; n += 1) await rig.create({ status: 'next' });
    const shown = await board({ perColumn: 3 });
    expect(shown).toMatchObject({
      project: { id: rig.projectId, slug: 'acme' },
      level: 'administer',
      totals: { open: 5, backlog: 1, stuck: 0, needsYou: 0, working: 0, waiting: 0 },
      finishedWindowDays: 3,
      defaultType: 'feature',
      lanes: [],
    });
    expect(shown.columns.map(({ slug, cards, total }) => [slug, cards, total])).toEqual([
      ['backlog', 1, 1],
      ['next', 4, 4],
      ['in-progress', 0, 0],
      ['done', 0, 0],
    ]);
    expect(numbers(shown.tiles)).toEqual([2, 3, 4]);
    expect(shown.tiles[0]).toMatchObject({ columnId: await rig.column('next'), status: 'next', order: 0 });
  });

  test('lanes hold the children of their epic, a deck those in Backlog, and nothing twice', async () => {
    const epic = await rig.create({ type: 'epic', title: 'Big' });
    for (let n = 0; n < 7; n += 1) await rig.create({ parentCardId: epic.cardId });
    const child = await rig.create({ parentCardId: epic.cardId, status: 'next' });
    const loose = await rig.create({ status: 'next' });
    const shown = await board();
    const [backlogId, nextId] = [await rig.column('backlog'), await rig.column('next')];
    expect(shown.lanes).toEqual([
      expect.objectContaining({
        cardId: epic.cardId,
        title: 'Big',
        progress: { done: 0, total: 8 },
        cells: expect.arrayContaining([
          { columnId: backlogId, total: 7 },
          { columnId: nextId, total: 1 },
        ]),
      }),
    ]);
    expect(numbers(shown.tiles).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, child.number, loose.number]);
    expect(shown.columns.find((column) => column.slug === 'next')).toMatchObject({ cards: 2, total: 1 });
    const plain = await board({ lanes: false });
    expect(plain.lanes).toEqual([]);
    expect(numbers(plain.tiles)).toEqual([child.number, loose.number]);
    await rig
      .get(SetLaneEnabled)
      .execute(rig.owner, { projectId: rig.projectId, cardId: epic.cardId, enabled: false });
    expect(rig.live.sent).toContainEqual(expect.objectContaining({ type: 'lane', subjectId: epic.cardId }));
    expect((await board()).lanes).toEqual([]);
  });

  test('finished cards leave the board after the window, and those of a finished epic at once', async () => {
    const epic = await rig.create({ type: 'epic' });
    const child = await rig.create({ parentCardId: epic.cardId });
    const old = await rig.create();
    await rig.move(old.cardId, 'done');
    rig.clock.advance(4 * DAY);
    await rig.move(child.cardId, 'done');
    expect(numbers((await board()).tiles)).toEqual([child.number]);
    expect(numbers((await board({ window: 30 })).tiles)).toEqual([child.number, old.number]);
    await rig.move(epic.cardId, 'done');
    const shown = await board();
    expect(numbers(shown.tiles)).toEqual([epic.number]);
    expect(shown.columns.find((column) => column.slug === 'done')).toMatchObject({ cards: 3, total: 1 });
  });

  test('filters narrow tiles and counts alike', async () => {
    await rig.create({ status: 'next', title: 'Blue boat', type: 'bug' });
    await rig.create({ status: 'next', title: '100% blue', documentIds: [rig.document()] });
    await rig.create({ status: 'next', title: 'Red boat' });
    const filtered = async (filter: object) => {
      const shown = await board({ filter: { ...NO_FILTER, ...filter } });
      const found = numbers(shown.tiles);
      expect(shown.columns.find((column) => column.slug === 'next')!.total).toBe(found.length);
      return found;
    };
    expect(await filtered({ q: 'BLUE' })).toEqual([1, 2]);
    expect(await filtered({ q: '0%' })).toEqual([2]);
    expect(await filtered({ q: '#3' })).toEqual([3]);
    expect(await filtered({ type: 'bug' })).toEqual([1]);
    expect(await filtered({ state: 'needs-you' })).toEqual([2]);
  });

  test('more of a column comes without a card twice or missing while others move cards', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1) ids.push((await rig.create({ status: 'next' })).cardId);
    const columnId = await rig.column('next');
    const more = (afterCardId: string | null, offset = 0) =>
      rig.get(GetTiles).execute(rig.owner, {
        projectId: rig.projectId,
        columnId,
        laneId: undefined,
        afterCardId,
        offset,
        limit: 3,
        filter: NO_FILTER,
      });
    const first = await more(null);
    expect(first).toMatchObject({ total: 9, hasMore: true });
    expect(numbers(first.tiles)).toEqual([1, 2, 3]);
    await rig.move(ids[0]!, 'backlog');
    await rig.move(ids[8]!, 'next', { place: { position: 0 } });
    expect(numbers((await more(ids[2]!)).tiles)).toEqual([4, 5, 6]);
    const last = await more(ids[5]!);
    expect(numbers(last.tiles)).toEqual([7, 8]);
    expect(last.hasMore).toBe(false);
    expect(numbers((await more(null, 6)).tiles)).toEqual([7, 8]);
    const byIds = await rig
      .get(GetTiles)
      .byIds(rig.owner, { projectId: rig.projectId, ids: [ids[1]!, rig.otherProjectId, 'x'] });
    expect(byIds).toMatchObject({ tiles: [{ number: 2 }], missing: [rig.otherProjectId, 'x'] });
  });

  test('the lists of Backlog, open and finished cards page, sort and filter', async () => {
    const epic = await rig.create({ type: 'epic', status: 'next' });
    rig.clock.advance(1_000);
    await rig.create({ title: 'Second', parentCardId: epic.cardId });
    rig.clock.advance(1_000);
    await rig.create({ title: 'Third', type: 'bug' });
    const backlog = (filter: object) =>
      rig
        .get(ListBacklog)
        .execute(rig.owner, { projectId: rig.projectId, filter: { ...ANY_ROW, ...filter } });
    expect(await backlog({})).toMatchObject({
      rows: [{ number: 3 }, { number: 2 }],
      perPage: 25,
      total: 2,
      hasMore: false,
      epics: [{ cardId: epic.cardId, number: 1 }],
    });
    expect(numbers((await backlog({ sort: 'epic', dir: 'desc' })).rows)).toEqual([2, 3]);
    expect(numbers((await backlog({ epic: 'none' })).rows)).toEqual([3]);
    expect(numbers((await backlog({ epic: epic.cardId })).rows)).toEqual([2]);
    expect(numbers((await backlog({ type: 'bug', q: 'third' })).rows)).toEqual([3]);
    expect(numbers((await backlog({ page: 2 })).rows)).toEqual([]);
    expect(
      (await backlog({})).rows.map(({ parentNumber, parentTitle }) => [parentNumber, parentTitle]),
    ).toEqual([
      [null, null],
      [1, 'A card'],
    ]);
    const open = await rig
      .get(ListOpenCards)
      .execute(rig.owner, { projectId: rig.projectId, filter: { ...ANY_ROW, sort: 'nonsense' } });
    expect(numbers(open.rows)).toEqual([1]);
    for (const number of [2, 3]) {
      rig.clock.advance(1_000);
      const row = (await backlog({})).rows.find((card) => card.number === number)!;
      await rig.move(row.cardId, 'done');
    }
    const finished = (columnId: string) =>
      rig.get(ListFinishedCards).execute(rig.owner, { projectId: rig.projectId, columnId, filter: ANY_ROW });
    const done = await finished(await rig.column('done'));
    expect(numbers(done.rows)).toEqual([3, 2]);
    expect(done.column).toMatchObject({ slug: 'done', cards: 2 });
    expect(await refusalOf(finished(await rig.column('next')))).toBe('Column not found or not accessible.');
  });

  test('deleted cards are told to pages that were away, until they are forgotten after a week', async () => {
    const card = await rig.create();
    const changes = (since: number) =>
      rig.get(GetBoardChanges).execute(rig.owner, { projectId: rig.projectId, since });
    const { revision } = await changes(0);
    await rig
      .get(DeleteCard)
      .execute(rig.owner, { projectId: rig.projectId, cardId: card.cardId, confirm: 1 });
    expect(await changes(revision)).toMatchObject({ cards: [], deleted: [card.cardId] });
    rig.clock.advance(8 * DAY);
    await rig.get(CloseStaleRuns).execute({ kind: 'system', jobName: 'test' });
    expect(await changes(revision)).toMatchObject({ reload: true });
    expect(await changes(revision + 1)).toMatchObject({ cards: [], deleted: [] });
  });

  test('a card needs somebody while its document is in review, and is told of new names', async () => {
    const documentId = rig.document({ status: 'draft' });
    const { cardId } = await rig.create({ documentIds: [documentId] });
    const hear = async (type: string, facts: object) => {
      rig.document({ id: documentId, ...facts });
      rig.forget();
      await rig.get(WhenDocumentChanged).handle(event(type, { payload: { documentId } }));
      return (await rig.card(cardId)).state?.code ?? null;
    };
    expect(await hear('DocumentReviewRequested', { status: 'in-review' })).toBe('document-in-review');
    expect(rig.eventTypes()).toEqual(['CardStateChanged']);
    expect(rig.live.sent).toContainEqual(expect.objectContaining({ type: 'card', subjectId: cardId }));
    expect(await hear('DocumentArchived', { archived: true })).toBeNull();
    expect(await hear('DocumentUnarchived', { archived: false })).toBe('document-in-review');
    expect(await hear('VerdictSubmitted', { status: 'approved' })).toBeNull();
  });

  test('the list of open cards is narrowed to a state, as the board is', async () => {
    const documentId = rig.document({ status: 'in-review' });
    await rig.create({ title: 'Needs nobody', status: 'next' });
    const waiting = await rig.create({ title: 'Needs somebody', status: 'next', documentIds: [documentId] });
    const list = (state: string | null) =>
      rig.get(ListOpenCards).execute(rig.owner, { projectId: rig.projectId, filter: { ...ANY_ROW, state } });
    expect(await list(null)).toMatchObject({ total: 2 });
    expect(await list('needs-you')).toMatchObject({ total: 1, rows: [{ number: waiting.number }] });
    expect(await list('stuck')).toMatchObject({ total: 0, rows: [] });
  });

  test('the cards of a document are set as a whole', async () => {
    const documentId = rig.document();
    const [a, b] = [await rig.create(), await rig.create()];
    const set = async (...cardIds: string[]) => {
      await rig.get(SetDocumentCards).execute(rig.owner, { projectId: rig.projectId, documentId, cardIds });
      const { cards } = await rig
        .get(ListCardsOfDocument)
        .execute(rig.owner, { projectId: rig.projectId, documentId });
      return cards;
    };
    expect(await set(b.cardId, a.cardId)).toEqual([
      { cardId: a.cardId, number: 1, title: 'A card', terminal: false },
      expect.objectContaining({ number: 2 }),
    ]);
    expect(numbers(await set(b.cardId))).toEqual([2]);
    expect(await refusalOf(set(rig.ids.next()))).toContain('cardIds[0]: Card not found');
  });

  test('suggestions come by a part of the title or by number, the number first', async () => {
    await rig.create({ title: 'Harbour', type: 'epic' });
    await rig.create({ title: 'Arbour 1' });
    const suggest = async (q: string, children = false) =>
      numbers(
        (await rig.get(SuggestCards).execute(rig.owner, { projectId: rig.projectId, q, children })).cards,
      );
    expect((await suggest('ARBOUR')).sort()).toEqual([1, 2]);
    expect(await suggest('arbour', true)).toEqual([1]);
    expect(await suggest('1')).toEqual([1, 2]);
    expect(await suggest('%')).toEqual([]);
  });

  test('history names people, their agents, and nobody who has gone', async () => {
    const { cardId } = await rig.create();
    await rig.move(cardId, 'next', {}, rig.member);
    await rig.get(HoldCard).execute(rig.member, { projectId: rig.projectId, cardId });
    const actors = async () => (await rig.history(cardId)).map(({ actor }) => actor);
    expect(await actors()).toEqual([
      { kind: 'human', name: 'Ben Member' },
      { kind: 'human', name: 'Ben Member' },
      { kind: 'agent', name: 'Agent for Ada Owner' },
    ]);
    await rig.get(WhenPersonDeleted).handle(event('PersonDeleted', { personId: rig.member.personId }));
    rig.people.known.delete(rig.member.personId);
    expect((await actors())[0]).toEqual({ kind: 'human', name: null });
    expect((await rig.card(cardId)).hold).toMatchObject({ heldBy: 'Deleted person' });
  });

  test('a deleted project takes its board along, however often the event comes', async () => {
    const epic = await rig.create({ type: 'epic', pullRequestUrls: ['https://x.example'] });
    await rig.create({ parentCardId: epic.cardId, relatedCards: [{ cardId: epic.cardId }] });
    await rig.create({ projectId: rig.otherProjectId }, rig.stranger);
    for (let n = 0; n < 2; n += 1)
      await rig.database.run(() => rig.get(WhenProjectDeleted).handle(event('ProjectDeleted', {})));
    for (const table of ['board', 'board_column', 'card', 'card_text', 'card_history', 'card_link']) {
      const rows = await rig.database.query(`SELECT 1 FROM board.${table} WHERE project_id = $1`, [
        rig.projectId,
      ]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
    expect((await rig.get(ListCards).execute(rig.stranger, { projectId: rig.otherProjectId })).total).toBe(1);
  });

  test('tiles of projects count open cards, and are null while the board is off', async () => {
    await rig.create();
    rig.clock.advance(1_000);
    await rig.create({ status: 'done' });
    const [counters] = rig.hooks.counters;
    expect(await counters!.counts([rig.projectId])).toEqual(new Map([[rig.projectId, 1]]));
    expect(await counters!.lastActivity([rig.projectId, rig.otherProjectId])).toEqual(
      new Map([[rig.projectId, rig.clock.now()]]),
    );
    rig.flags.set('board.enabled', 'false');
    expect(await counters!.counts([rig.projectId])).toBeNull();
  });

  test('a project that is older than boards gets one on first use', async () => {
    const projectId = rig.ids.next();
    rig.access.add(projectId, rig.owner.personId);
    const list = await rig.get(ListCards).execute(rig.owner, { projectId });
    expect(list.columns.map((column) => column.slug)).toContain('tech-design');
    const other = rig.ids.next();
    rig.access.add(other, rig.owner.personId);
    const made = await Promise.all([1, 2, 3].map(() => rig.create({ projectId: other }, rig.owner)));
    expect(made.map((card) => card.number).sort()).toEqual([1, 2, 3]);
  });

  test('marks that nobody sees hide no word from a search, also after a change', async () => {
    const { number } = await rig.create({ title: '\u200fمرحبا', body: 'The wel\u00adcome.' });
    const { projectId } = rig;
    const found = async (query: string) => {
      const { cards } = await rig.get(SearchCards).execute(rig.agent, { projectId, query });
      return cards.map((card) => card.number);
    };
    for (const query of ['مرحبا', '\u200fمرحبا', 'welcome', 'wel\u200bcome'])
      expect(await found(query)).toEqual([number]);
    await rig.get(UpdateCard).execute(rig.agent, { projectId, number, title: '\u2067سلام\u2069' });
    expect(await found('سلام')).toEqual([number]);
  });

  test('a search ranks among the newest, and pages behind them without a gap', async () => {
    await rig.database.query(
      `WITH made AS (
         INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, created_at,
           updated_at, revision)
         SELECT gen_random_uuid(), $1, n, 'Lamp ' || n, 'bug', $2, n, 'agent', 'agent',
           timestamptz '2026-01-01' + n * interval '1 s', now(), 1 FROM generate_series(1, 620) n RETURNING *)
       INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
       SELECT id, $1, title, 'english', created_at, to_tsvector('english', title) FROM made`,
      [rig.projectId, await rig.column('backlog')],
    );
    const seen = new Set<number>();
    for (let page = 1; page <= 7; page += 1) {
      const found = await rig
        .get(SearchCards)
        .execute(rig.agent, { projectId: rig.projectId, query: 'lamps', page, perPage: 100 });
      expect(found).toMatchObject({ total: 620, hasMore: page < 7 });
      for (const card of found.cards) seen.add(card.number);
      expect(found.cards).toHaveLength(page < 7 ? 100 : 20);
    }
    expect(seen.size).toBe(620);
  });

  test('a search shows the cards of exactly that title first, however many newer ones hold its words, and counts each once', async () => {
    await rig.create({ title: 'Lamp' });
    await rig.create({ title: 'LAMP' });
    await rig.create({ title: 'The' });
    await rig.database.query(
      `WITH made AS (
         INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, created_at,
           updated_at, revision)
         SELECT gen_random_uuid(), $1, 1000 + n, 'Lamp ' || n, 'bug', $2, 1000 + n, 'agent', 'agent',
           now() + n * interval '1 s', now(), 1 FROM generate_series(1, 620) n RETURNING *)
       INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
       SELECT id, $1, title, 'english', created_at, to_tsvector('english', 'lamp lamp lamp ' || title) FROM made`,
      [rig.projectId, await rig.column('backlog')],
    );
    const find = (query: string, page = 1) =>
      rig.get(SearchCards).execute(rig.agent, { projectId: rig.projectId, query, page, perPage: 100 });
    for (const query of ['lamp', '"Lamp"']) {
      const found = await find(query);
      expect(found).toMatchObject({ total: 622, hasMore: true });
      expect(found.cards.slice(0, 3).map(({ title }) => title.toLowerCase())).toEqual([
        'lamp',
        'lamp',
        expect.stringMatching(/^lamp \d+$/),
      ]);
    }
    const all = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((page) => find('lamp', page)));
    expect(new Set(all.flatMap(({ cards }) => cards.map(({ number }) => number))).size).toBe(622);
    // A title of words without meaning.
    expect(await find('the')).toMatchObject({ total: 1, cards: [{ title: 'The' }] });
    expect(await find('these')).toMatchObject({ total: 0, cards: [] });
  });

  test('board 15.28: a board of many cards is read in as many statements as one of few', async () => {
    const statements = async (work: () => Promise<unknown>) => {
      const sent: string[] = [];
      const { database } = rig;
      const spies = [
        jest.spyOn(database, 'query').mockImplementation(function (this: void, sql: string, values) {
          sent.push(sql);
          return real.query(sql, values) as never;
        }),
        jest.spyOn(database, 'hot').mockImplementation(function (this: void, sql: string, values) {
          sent.push(sql);
          return real.hot(sql, values) as never;
        }),
      ];
      await work();
      for (const spy of spies) spy.mockRestore();
      return sent.length;
    };
    const real = { query: rig.database.query.bind(rig.database), hot: rig.database.hot.bind(rig.database) };
    const counts = async () => ({
      board: await statements(() => board()),
      list: await statements(() => rig.get(ListCards).execute(rig.agent, { projectId: rig.projectId })),
      search: await statements(() =>
        rig.get(SearchCards).execute(rig.agent, { projectId: rig.projectId, query: 'card' }),
      ),
    });
    const epic = await rig.create({ type: 'epic', status: 'next' });
    await rig.create({ parentCardId: epic.cardId, status: 'next' });
    const few = await counts();
    for (let n = 0; n < 60; n += 1)
      await rig.create({
        status: n % 2 ? 'next' : 'in-progress',
        parentCardId: n % 3 ? epic.cardId : undefined,
      });
    expect(await counts()).toEqual(few);
    expect(few.board).toBeLessThanOrEqual(12);
    expect(few.list).toBeLessThanOrEqual(8);
    expect(few.search).toBeLessThanOrEqual(8);
    const { cardId } = await rig.create();
    expect(await statements(() => rig.move(cardId, 'next'))).toBeLessThanOrEqual(15);
  });

  test('a renamed column keeps its cards and tells open pages', async () => {
    const { cardId } = await rig.create({ status: 'next' });
    await rig
      .get(ConfigureColumn)
      .execute(rig.owner, { projectId: rig.projectId, slug: 'next', label: 'Up next' });
    expect((await rig.card(cardId)).status).toBe('up-next');
    expect(rig.live.sent).toContainEqual(expect.objectContaining({ type: 'columns', version: 1 }));
  });
});
