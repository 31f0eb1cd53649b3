import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { BoardRig } from '../../testing/board-rig.js';
import { ListColumns } from '../queries/list-columns.js';
import { ConfigureColumn } from './configure-column.js';
import { CreateColumn } from './create-column.js';
import { DeleteColumn, type DeleteColumnInput } from './delete-column.js';
import { HoldCard } from './hold-card.js';
import { ReorderColumns } from './reorder-columns.js';
import { UpdateBoardSettings } from './update-board-settings.js';

describe('columns', () => {
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

  const make = (label: string) =>
    rig.get(CreateColumn).execute(rig.owner, { projectId: rig.projectId, label });
  const configure = (slug: string, change: object) =>
    rig.get(ConfigureColumn).execute(rig.owner, { projectId: rig.projectId, slug, ...change });
  const remove = (slug: string, input: Partial<DeleteColumnInput> = {}) =>
    rig.get(DeleteColumn).execute(rig.owner, { projectId: rig.projectId, slug, ...input });
  const reorder = (...order: string[]) =>
    rig.get(ReorderColumns).execute(rig.owner, { projectId: rig.projectId, order });
  const page = () => rig.get(ListColumns).forPage(rig.owner, rig.projectId);

  test('a column is appended with a slug and a colour of its own', async () => {
    await make('  Café 東京 & more  ');
    const { columns } = await page();
    expect(columns.at(-1)).toMatchObject({
      label: 'Café 東京 & more',
      slug: 'cafe-dongjing-more',
      terminal: false,
      backlog: false,
    });
    expect(new Set(columns.map((column) => column.colour)).size).toBeGreaterThanOrEqual(columns.length - 1);
    expect(rig.live.sent).toContainEqual({
      topic: `project:${rig.projectId}:board`,
      type: 'columns',
      subjectId: rig.projectId,
      version: 1,
    });
  });

  test.each([
    [' ', 'label: must not be blank.'],
    ['***', 'label: must hold a letter or a digit.'],
    ['Next', 'label: Another column of this board has the slug "next". Choose another name.'],
    ['Bäck log', null],
    ['Backlog!', 'label: The slug "backlog" belongs to the Backlog. Choose another name.'],
    ['a'.repeat(101), 'label: at most 100 characters.'],
    ['one\ntwo', 'label: must be one line.'],
  ])('the label %j is judged', async (label, sentence) => {
    if (sentence === null) await make(label);
    else expect(await refusalOf(make(label))).toBe(sentence);
  });

  test('a board holds at most 30 columns', async () => {
    for (let n = 4; n < 30; n += 1) await make(`Column ${n}`);
    expect(await refusalOf(make('One more'))).toContain('label: A board holds at most 30 columns.');
  });

  test('board 15.21: a column with cards needs a target, the last terminal one stays, an order names all', async () => {
    const { cardId } = await rig.create({ status: 'next' });
    expect(await refusalOf(remove('next'))).toBe(
      'targetColumn: Column "next" holds 1 card. Name the column that takes them.',
    );
    expect(await refusalOf(remove('next', { targetColumn: 'next' }))).toContain('targetColumn: ');
    expect(await refusalOf(remove('next', { targetColumn: 'x' }))).toBe(
      'targetColumn: Unknown column "x". Use one of: backlog, next, in-progress, done.',
    );
    expect(await refusalOf(remove('x'))).toBe(
      'slug: Unknown column "x". Use one of: backlog, next, in-progress, done.',
    );
    expect(await refusalOf(remove('backlog'))).toBe('slug: Backlog cannot be deleted.');
    expect(await refusalOf(remove('done'))).toContain('slug: The last terminal column');
    expect(await refusalOf(configure('done', { terminal: false }))).toBe(
      'terminal: The last terminal column must stay terminal. Make another column terminal first.',
    );
    expect(await refusalOf(configure('backlog', { label: 'X' }))).toBe('slug: Backlog cannot be changed.');
    expect(await refusalOf(configure('next', {}))).toBe('label: Pass label or terminal.');
    expect(await refusalOf(reorder('next', 'done', 'done', 'x'))).toBe(
      'order: must name every column except backlog exactly once. Missing: in-progress. Unknown: x. Repeated: done.',
    );
    await reorder('done', 'next', 'in-progress');
    expect(await rig.slugs()).toEqual(['backlog', 'done', 'next', 'in-progress']);
    await rig.get(HoldCard).execute(rig.owner, { projectId: rig.projectId, cardId });
    rig.forget();
    expect(await remove('next', { targetColumn: 'done' })).toEqual({ deleted: 'next', movedCards: 1 });
    expect(await rig.card(cardId)).toMatchObject({
      status: 'done',
      hold: null,
      completedAt: expect.any(String),
    });
    expect(rig.outbox.events).toContainEqual(
      expect.objectContaining({
        type: 'CardMoved',
        payload: expect.objectContaining({ cause: 'column-deleted', completed: true }),
      }),
    );
    expect(rig.eventTypes()).toEqual(
      expect.arrayContaining(['CardReleased', 'CardFinished', 'ColumnDeleted']),
    );
    expect((await rig.history(cardId))[0]).toMatchObject({ kind: 'moved', from: { slug: 'next' } });
  });

  test('board 15.22: a rename changes the slug, and the slot stays linked to the column', async () => {
    const projectId = rig.ids.next();
    rig.access.add(projectId, rig.owner.personId);
    await rig.database.run(() => rig.makeBoard(projectId, null));
    await rig
      .get(ConfigureColumn)
      .execute(rig.owner, { projectId, slug: 'tech-design', label: 'Architecture' });
    expect(rig.outbox.events).toContainEqual(
      expect.objectContaining({
        type: 'ColumnRenamed',
        payload: expect.objectContaining({ oldSlug: 'tech-design', newSlug: 'architecture' }),
      }),
    );
    const { cardId } = await rig.create({ projectId, status: 'backlog' }, rig.owner);
    await rig.get(HoldCard).execute(rig.owner, { projectId, cardId });
    const refused = rig
      .get(ConfigureColumn)
      .execute(rig.owner, { projectId, slug: 'architecture', terminal: true });
    expect(await refusalOf(refused)).toBe(
      'terminal: Column "architecture" is a place of the workflow and cannot be terminal.',
    );
  });

  test('a column that becomes terminal finishes its cards; one that stops opens them again, oldest first', async () => {
    for (let n = 0; n < 3; n += 1) {
      await rig.create({ status: 'in-progress' });
      rig.clock.advance(1_000);
    }
    await configure('in-progress', { terminal: true });
    const { cards } = (await page()).columns.find((column) => column.slug === 'in-progress')!;
    expect(cards).toBe(3);
    const finished = await rig.database.query(
      'SELECT 1 FROM board.card WHERE project_id = $1 AND completed_at = $2',
      [rig.projectId, rig.clock.now()],
    );
    expect(finished).toHaveLength(3);
    rig.clock.advance(1_000);
    const late = await rig.create({ status: 'in-progress' });
    await configure('in-progress', { terminal: false });
    expect((await rig.order('in-progress')).at(-1)).toBe(late.number);
    expect((await rig.card(late.cardId)).completedAt).toBeNull();
  });

  test('a form that was filled in on an older state is refused with the present columns', async () => {
    const { columns, columnsRevision } = await page();
    const next = columns.find((column) => column.slug === 'next')!;
    await configure('next', { label: 'Soon' });
    const stale = (work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({
        code: 'columns_changed',
        detail: { current: { columnsRevision: columnsRevision + 1, columns: expect.any(Array) } },
      });
    await stale(
      rig.get(ConfigureColumn).execute(rig.owner, {
        projectId: rig.projectId,
        columnId: next.columnId,
        label: 'Later',
        revision: next.revision,
      }),
    );
    await stale(
      rig.get(ReorderColumns).execute(rig.owner, {
        projectId: rig.projectId,
        columnIds: columns.slice(1).map((column) => column.columnId),
        columnsRevision,
      }),
    );
  });

  test('a column that is deleted while cards move into it loses none of them', async () => {
    const cards = await Promise.all(Array.from({ length: 12 }, () => rig.create()));
    const results = await Promise.allSettled([
      ...cards.slice(0, 6).map((card) => rig.move(card.cardId, 'in-progress')),
      remove('in-progress', { targetColumn: 'next' }),
      ...cards.slice(6).map(async (card) => {
        const columnId = await rig.column('next');
        return rig
          .move(card.cardId, 'next', { fromColumnId: await rig.column('backlog') })
          .then(() => columnId);
      }),
    ]);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'column_gone' });
    const { columns } = await page();
    expect(columns.map((column) => column.slug)).toEqual(['backlog', 'next', 'done']);
    expect(columns.reduce((sum, column) => sum + column.cards, 0)).toBe(12);
    const counted = await rig.database.query<{ id: string; n: number }>(
      'SELECT column_id AS id, count(*)::int AS n FROM board.card WHERE project_id = $1 GROUP BY 1',
      [rig.projectId],
    );
    for (const { id, n } of counted) expect(columns.find((column) => column.columnId === id)!.cards).toBe(n);
  });

  test('finished cards stay on the board for 1 to 30 days', async () => {
    const set = (finishedWindowDays: number) =>
      rig.get(UpdateBoardSettings).execute(rig.owner, { projectId: rig.projectId, finishedWindowDays });
    expect((await set(14)).finishedWindowDays).toBe(14);
    expect(await refusalOf(set(31))).toBe('finishedWindowDays: must be a whole number from 1 to 30.');
  });

  test('columns are for maintainers', async () => {
    const attempt = rig.get(CreateColumn).execute(rig.member, { projectId: rig.projectId, label: 'Mine' });
    expect(await refusalOf(attempt)).toBe('This needs the maintainer role in the project. Ask its owner.');
  });
});
