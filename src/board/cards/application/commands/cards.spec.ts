import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { BoardRig } from '../../testing/board-rig.js';
import { GetCard } from '../queries/get-card.js';
import { GetCardHistory } from '../queries/get-card-history.js';
import { ListCards } from '../queries/list-cards.js';
import { ListColumns } from '../queries/list-columns.js';
import { SearchCards } from '../queries/search-cards.js';
import { WhenArtifactCardsChanged } from '../reactions/when-artifact-cards-changed.js';
import { DeleteCard } from './delete-card.js';

describe('cards', () => {
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

  test('board 15.1: a project with the Lifecycle template has its columns and seven types', async () => {
    const projectId = rig.ids.next();
    rig.access.add(projectId, rig.owner.personId);
    await rig.database.run(() => rig.makeBoard(projectId, null));
    const { columns, types, defaultType } = await rig.get(ListColumns).execute(rig.owner, { projectId });
    expect(columns.map((column) => column.label)).toEqual([
      'Backlog',
      'Next',
      'Product design',
      'Tech design',
      'Implementation',
      'In review',
      'Done',
    ]);
    expect(columns[0]).toEqual({
      slug: 'backlog',
      label: 'Backlog',
      terminal: false,
      default: true,
      backlog: true,
    });
    expect(types).toHaveLength(7);
    expect(defaultType).toBe('feature');
  });

  test('board 15.2: cards land in Backlog with numbers of their own project', async () => {
    const card = await rig.create({ title: ' First ', body: 'Text' });
    expect(card).toEqual({
      cardId: expect.any(String),
      number: 1,
      title: 'First',
      body: 'Text',
      type: 'feature',
      status: 'backlog',
      reporter: 'agent',
      source: { kind: 'agent', runId: null, runCardNumber: null },
      position: 0,
      parentCardId: null,
      createdAt: rig.clock.now().toISOString(),
      updatedAt: rig.clock.now().toISOString(),
      completedAt: null,
      state: null,
      hold: null,
      pause: null,
      pullRequests: [],
      documents: [],
      relatedCards: [],
      parent: null,
      laneEnabled: true,
      children: [],
      progress: null,
      siteReviewComments: [],
    });
    expect((await rig.create()).number).toBe(2);
    const other = await rig.create({ projectId: rig.otherProjectId }, rig.stranger);
    expect(other).toMatchObject({ number: 1, reporter: 'human', source: { kind: 'person' } });
  });

  test('board 15.3: an unknown column, type and reporter are refused with the accepted values, all at once', async () => {
    const refused = await refusalOf(
      rig.create({ title: '', status: 'doing', type: 'wish', reporter: 'reviewer' }),
    );
    expect(refused.split('\n')).toEqual([
      'title: 1 to 255 characters on one line.',
      'reporter: Only the review widget writes reviewer.',
      'type: Unknown type "wish". Use one of: feature, bug, security, tooling, docs, idea, epic.',
      'status: Unknown status "doing". Use one of: backlog, next, in-progress, done.',
    ]);
    expect(await rig.order('backlog')).toEqual([]);
    expect(rig.outbox.events).toEqual([]);
  });

  test('board 15.4: the number of a deleted card is not used again', async () => {
    await rig.create();
    const second = await rig.create();
    const remove = (confirm: number) =>
      rig.get(DeleteCard).execute(rig.owner, { projectId: rig.projectId, cardId: second.cardId, confirm });
    expect(await refusalOf(remove(1))).toBe('confirm: Confirm with the number of the card, 2.');
    await remove(2);
    expect((await rig.create()).number).toBe(3);
    expect(rig.eventTypes()).toContain('CardDeleted');
  });

  test('board 15.5: a card is named by exactly one of id and number', async () => {
    const { cardId } = await rig.create();
    const foreign = await rig.create({ projectId: rig.otherProjectId }, rig.stranger);
    const get = (name: object) =>
      refusalOf(rig.get(GetCard).execute(rig.agent, { projectId: rig.projectId, ...name }));
    expect(await get({ cardId, number: 1 })).toBe('cardId: Pass either cardId or number, not both.');
    expect(await get({})).toBe('cardId: Pass cardId or number.');
    expect(await get({ number: 99 })).toBe('number: This project has no card 99.');
    expect(await get({ cardId: 'x' })).toBe('cardId: "x" is not a valid id.');
    expect(await get({ cardId: foreign.cardId })).toBe('cardId: Card not found or not accessible.');
  });

  test('board 15.6: rows hold nine keys, whole cards all of them, and pages at most 100 rows', async () => {
    for (let n = 0; n < 3; n += 1) await rig.create({ status: n === 1 ? 'next' : 'backlog' });
    const list = (input: object) =>
      rig.get(ListCards).execute(rig.agent, { projectId: rig.projectId, ...input });
    const rows = await list({ perPage: 1000 });
    expect(rows).toMatchObject({ page: 1, perPage: 100, total: 3, hasMore: false });
    expect(rows.cards.map((card) => card.number)).toEqual([1, 3, 2]);
    expect(Object.keys(rows.cards[0]!).sort()).toEqual(
      'cardId number title type status reporter parentCardId updatedAt state'.split(' ').sort(),
    );
    expect(rows.columns[0]).toEqual(expect.objectContaining({ slug: 'backlog', default: true }));
    const whole = await list({ full: true, page: 2, perPage: 2 });
    expect(whole).toMatchObject({ total: 3, hasMore: false });
    expect(whole.cards).toEqual([await rig.card(whole.cards[0]!.cardId)]);
    expect(await list({ page: 9 })).toMatchObject({ cards: [], total: 3, hasMore: false });
  });

  test('filters of a list combine, and name what they accept', async () => {
    const epic = await rig.create({ type: 'epic' });
    await rig.create({ parentCardId: epic.cardId, status: 'next', reporter: 'human' });
    await rig.create({ parentCardId: epic.cardId, type: 'bug' });
    await rig.create({ status: 'next' });
    const list = async (input: object) => {
      const { cards, total } = await rig
        .get(ListCards)
        .execute(rig.agent, { projectId: rig.projectId, ...input });
      expect(total).toBe(cards.length);
      return cards.map((card) => card.number);
    };
    expect(await list({ status: 'next' })).toEqual([2, 4]);
    expect(await list({ parentCardId: epic.cardId })).toEqual([3, 2]);
    expect(await list({ parentCardId: epic.cardId, type: 'bug' })).toEqual([3]);
    expect(await list({ reporter: 'human', status: 'next' })).toEqual([2]);
    expect(await list({ paused: true })).toEqual([]);
    expect(await list({ paused: false })).toEqual([1, 3, 2, 4]);
    const refused = refusalOf(list({ status: 'x', reporter: 'y', type: 'z', parentCardId: rig.ids.next() }));
    expect((await refused).split('\n')).toHaveLength(4);
  });

  test('board 15.7: a search finds other forms of a word, also in finished cards, and leaves out excluded ones', async () => {
    await rig.create({ title: 'Walk', body: 'Turns the pages of a list.', status: 'done' });
    await rig.create({ title: 'Paging of lists', body: '' });
    await rig.create({ title: 'Something else', body: 'A bill' });
    await rig.create({ projectId: rig.otherProjectId, title: 'Paging elsewhere' }, rig.stranger);
    const find = async (query: string) => {
      const { cards, total } = await rig
        .get(SearchCards)
        .execute(rig.agent, { projectId: rig.projectId, query });
      expect(total).toBe(cards.length);
      return cards.map((card) => card.number);
    };
    expect(await find('paging')).toEqual([2, 1]);
    expect(await find('list -walk')).toEqual([2]);
    expect(await find('-pages')).toEqual([3]);
    expect(await find('"paging of lists"')).toEqual([2]);
    expect(await find('bill or walk')).toEqual([1, 3]);
    expect(await find('the')).toEqual([]);
    expect(await refusalOf(find('  '))).toBe('query: must not be blank.');
  });

  test('board 15.8: pull requests stay when omitted, go with an empty list, and are stored once', async () => {
    const url = 'https://GitHub.com/o/r/pull/7/?a=1';
    const { cardId } = await rig.create({ pullRequestUrls: [url, ` ${url} `, '  '] });
    const [link] = (await rig.update(cardId, { title: 'Other' })).pullRequests;
    expect(link).toMatchObject({ url, forge: 'github', repository: 'o/r', number: 7, state: null });
    const more = await rig.update(cardId, { pullRequestUrls: ['https://x.example/1', url] });
    expect(more.pullRequests.map((one) => one.url)).toEqual(['https://x.example/1', url]);
    expect(more.pullRequests[1]!.pullRequestId).toBe(link!.pullRequestId);
    expect((await rig.update(cardId, { pullRequestUrls: [] })).pullRequests).toEqual([]);
  });

  test('board 15.9: a long address is refused with its index; another forge is kept as it is', async () => {
    const long = `https://x.example/${'a'.repeat(513)}`;
    expect(await refusalOf(rig.create({ pullRequestUrls: ['https://a.example', long] }))).toBe(
      'pullRequestUrls[1]: at most 512 characters.',
    );
    const gitlab = 'https://gitlab.com/o/r/-/merge_requests/3';
    const { pullRequests } = await rig.create({ pullRequestUrls: [gitlab] });
    expect(pullRequests[0]).toMatchObject({ url: gitlab, forge: 'other', repository: null, number: null });
  });

  test('board 15.10: a link reads from both ends, and either end may remove it', async () => {
    const a = await rig.create();
    const b = await rig.create();
    await rig.update(a.cardId, { relatedCards: [{ cardId: b.cardId, kind: 'blocks' }] });
    expect((await rig.card(b.cardId)).relatedCards).toEqual([
      { cardId: a.cardId, number: 1, title: 'A card', status: 'backlog', kind: 'blocked-by' },
    ]);
    expect((await rig.card(b.cardId)).state).toMatchObject({
      kind: 'waiting',
      code: 'held-by-blocker',
      since: null,
      reason: 'Card 1 has to be finished first.',
    });
    await rig.update(b.cardId, { relatedCards: [] });
    expect((await rig.card(a.cardId)).relatedCards).toEqual([]);
    expect((await rig.card(b.cardId)).state).toBeNull();
    const refused = await refusalOf(
      rig.update(a.cardId, {
        relatedCards: [
          { cardId: a.cardId },
          { cardId: rig.ids.next(), kind: 'eats' },
          { cardId: b.cardId },
          { cardId: b.cardId, kind: 'blocks' },
        ],
      }),
    );
    expect(refused.split('\n')).toEqual([
      'relatedCards[0].cardId: A card cannot link to itself.',
      'relatedCards[1].kind: Use one of: relates-to, blocks, blocked-by.',
      'relatedCards: names the same card twice.',
      'relatedCards[1].cardId: Card not found or not accessible.',
    ]);
  });

  test('board 15.11: children do not nest, types keep their family, and parents are of the project', async () => {
    const epic = await rig.create({ type: 'epic' });
    const child = await rig.create({ parentCardId: epic.cardId });
    const foreign = await rig.create({ projectId: rig.otherProjectId, type: 'epic' }, rig.stranger);
    rig.forget();
    expect(await refusalOf(rig.update(child.cardId, { type: 'epic' }))).toBe(
      'type: A card with a parent cannot become "epic".',
    );
    expect(await refusalOf(rig.update(epic.cardId, { type: 'bug' }))).toBe(
      'type: A card with children keeps a type that can have children.',
    );
    const other = await rig.create({ type: 'epic' });
    rig.forget();
    expect(await refusalOf(rig.update(other.cardId, { parentCardId: epic.cardId }))).toBe(
      'parentCardId: An epic cannot have a parent.',
    );
    expect(await refusalOf(rig.update(epic.cardId, { parentCardId: child.cardId }))).toContain(
      `parentCardId: Card ${child.number} cannot have children.`,
    );
    expect(await refusalOf(rig.update(child.cardId, { parentCardId: foreign.cardId }))).toBe(
      'parentCardId: Card not found or not accessible.',
    );
    expect(await refusalOf(rig.update(epic.cardId, { parentCardId: epic.cardId }))).toBe(
      'parentCardId: A card cannot be its own parent.',
    );
    expect(rig.outbox.events).toEqual([]);
    expect(await rig.card(epic.cardId)).toMatchObject({
      children: [{ cardId: child.cardId, number: child.number, title: 'A card', status: 'backlog' }],
      progress: { done: 0, total: 1 },
    });
    const remove = rig
      .get(DeleteCard)
      .execute(rig.owner, { projectId: rig.projectId, cardId: epic.cardId, confirm: epic.number });
    expect(await refusalOf(remove)).toContain('has children');
  });

  test('board 15.12: a parent is cleared by either argument, never by both', async () => {
    const epic = await rig.create({ type: 'epic' });
    const child = await rig.create({ parentCardId: epic.cardId });
    expect(await refusalOf(rig.update(child.cardId, { clearParent: true, parentCardId: epic.cardId }))).toBe(
      'clearParent: Pass clearParent or parentCardId, not both.',
    );
    expect((await rig.update(child.cardId, { parentCardId: '' })).parent).toBeNull();
    expect((await rig.update(child.cardId, { parentCardId: epic.cardId })).parent).toMatchObject({
      number: 1,
    });
    expect((await rig.update(child.cardId, { clearParent: true })).parent).toBeNull();
    expect((await rig.history(child.cardId)).map((event) => event.kind)).toEqual([
      'parent-changed',
      'parent-changed',
      'parent-changed',
      'created',
    ]);
  });

  test('an update without a field, and the same update again, change nothing', async () => {
    const card = await rig.create({ title: 'Same', status: 'next' });
    rig.forget();
    rig.clock.advance(1_000);
    expect(await rig.update(card.cardId, {})).toEqual(card);
    expect(await rig.update(card.cardId, { title: 'Same', status: 'next', relatedCards: [] })).toEqual(card);
    expect([rig.outbox.events, rig.audit.entries, rig.live.sent]).toEqual([[], [], []]);
    expect(await refusalOf(rig.update(card.cardId, { reporter: 'human' }))).toBe(
      'reporter: cannot be changed, it records who first raised the card.',
    );
  });

  test('board 15.31: a saved edit over the change of somebody else is asked about, and forced on demand', async () => {
    const { cardId } = await rig.create({ title: 'One', body: 'Old' });
    await rig.update(cardId, { body: 'Theirs' }, rig.member);
    const mine = { body: 'Mine', contentVersion: 1 };
    await expect(rig.update(cardId, mine, rig.owner)).rejects.toMatchObject({
      code: 'card_changed',
      detail: { current: { title: 'One', body: 'Theirs', contentVersion: 2 } },
    });
    expect((await rig.update(cardId, { ...mine, force: true }, rig.owner)).body).toBe('Mine');
  });

  test('documents are linked in order, and only those of the project', async () => {
    const first = rig.document({ title: 'First' });
    const second = rig.document({ title: 'Second', status: 'approved' });
    const foreign = rig.document({ projectId: rig.otherProjectId });
    expect(await refusalOf(rig.create({ documentIds: [first, foreign] }))).toBe(
      'documentIds[1]: Document not found or not accessible.',
    );
    const { cardId, documents, state } = await rig.create({ documentIds: [second, first] });
    expect(documents.map((document) => document.title)).toEqual(['Second', 'First']);
    expect(state).toMatchObject({ kind: 'needs-you', code: 'document-in-review' });
    rig.forget();
    expect((await rig.update(cardId, { documentIds: [second] })).state).toBeNull();
    expect(rig.outbox.events).toContainEqual(
      expect.objectContaining({
        type: 'CardDocumentLinksChanged',
        payload: { cardId, added: [], removed: [first] },
      }),
    );
  });

  test('artifacts are linked as a whole set, only those that may be, and shown while they are switched on', async () => {
    const [first, second] = ['First', 'Second'].map((name) => {
      const artifactId = rig.ids.next();
      const facts = {
        artifactType: 'app',
        latestVersion: 1,
        archived: false,
        url: 'https://loupe.example',
      } as const;
      rig.artifacts.artifacts.set(artifactId, { artifactId, name, ...facts });
      return artifactId;
    });
    const { cardId, artifacts: hidden } = await rig.create({ artifactIds: [second!, first!] });
    expect(hidden).toBeUndefined();
    rig.artifacts.on = true;
    try {
      expect((await rig.card(cardId)).artifacts!.map(({ name }) => name)).toEqual(['Second', 'First']);
      expect(await refusalOf(rig.update(cardId, { artifactIds: [first!, rig.ids.next()] }))).toBe(
        'artifactIds[1]: Artifact not found or not accessible.',
      );
      rig.forget();
      expect((await rig.update(cardId, { artifactIds: [] })).artifacts).toEqual([]);
      expect(rig.outbox.events).toContainEqual(
        expect.objectContaining({ type: 'CardUpdated', payload: { cardId, changed: ['artifacts'] } }),
      );
      rig.forget();
      await rig.get(WhenArtifactCardsChanged).handle({
        id: rig.ids.next(),
        type: 'ArtifactCardsChanged',
        version: 1,
        aggregateId: first!,
        projectId: rig.projectId,
        personId: null,
        payload: { added: [cardId], removed: [rig.ids.next()], by: rig.member.personId },
        actor: { kind: 'person', id: rig.member.personId },
        occurredAt: rig.clock.now(),
      });
      expect(rig.live.sent).toEqual([expect.objectContaining({ type: 'card', subjectId: cardId })]);
      const { events } = await rig
        .get(GetCardHistory)
        .execute(rig.agent, { projectId: rig.projectId, cardId });
      expect(events.map(({ kind, actor }) => [kind, actor.name])).toContainEqual([
        'artifact-linked',
        'Ben Member',
      ]);
    } finally {
      rig.artifacts.on = false;
    }
  });

  test('what real life writes comes back as it was: right-to-left, emoji, hostile Markdown', async () => {
    const body = 'שלום\n<script>alert(1)</script>\n\n👩‍👩‍👧 e\u0301';
    const card = await rig.create({ title: 'مرحبا 👋', body });
    expect(card).toMatchObject({ title: 'مرحبا 👋', body });
    expect(await refusalOf(rig.create({ title: 'two\nlines', body: 'x'.repeat(100_001) }))).toBe(
      'title: 1 to 255 characters on one line.\nbody: at most 100000 characters.',
    );
  });
});
