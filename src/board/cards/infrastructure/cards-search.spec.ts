import { readSearchQuery } from '#src/platform/domain/search-query.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { BoardRig } from '../testing/board-rig.js';
import { CardsSearch } from './cards-search.js';

describe('cards in the search of the whole product', () => {
  let postgres: TestDatabase;
  let rig: BoardRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await BoardRig.start(postgres.database);
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });
  beforeEach(async () => {
    rig.flags.set('board.enabled', 'true');
    await postgres.database.query('DELETE FROM board.card');
  });

  const search = (typed: string, projects = [rig.projectId], page = 1) =>
    rig.get(CardsSearch).search(projects, readSearchQuery(typed), page);
  const titles = async (typed: string, projects?: string[]) =>
    (await search(typed, projects)).results.map(({ title }) => title);
  const both = () => [rig.projectId, rig.otherProjectId];

  test('registers with the platform', () => {
    expect(rig.search.all.map(({ name }) => name)).toEqual(['cards']);
  });

  test('platform 10: finds title and text in the language of the card, finished ones too, and marks them', async () => {
    const open = await rig.create({
      title: 'Paging of <lists>',
      body: '## Plan\n\n- The **pages** & [their](https://example.com/x) `order`.',
    });
    rig.clock.advance(1_000);
    await rig.create({ title: 'Order', body: 'Three pages.', status: 'done' });
    const { results } = await search('page');
    expect(results).toEqual([
      {
        kind: 'card',
        projectId: rig.projectId,
        title: 'Paging of <lists>',
        titleMarked: '<mark>Paging</mark> of &lt;lists&gt;',
        url: `/projects/${rig.projectId}/board?card=${open.number}`,
        snippet: 'Plan The <mark>pages</mark> &amp; their order.',
        number: open.number,
        status: null,
        finished: false,
        archived: false,
        named: null,
      },
      expect.objectContaining({ title: 'Order', finished: true }),
    ]);
  });

  test('platform 19.14: a number names its card, first and once; then come those with the number in the text', async () => {
    const other = await rig.create({ title: 'See the other', body: '' });
    const card = await rig.create({ title: 'Twelve', body: 'Nothing else.' });
    await rig.update(other.cardId, { body: `As in ${card.number}.` });
    await rig.update(card.cardId, { body: `This is ${card.number} itself.` });
    for (const typed of [`#${card.number}`, `${card.number}`]) {
      const { results } = await search(typed);
      expect(results.map(({ title, named }) => [title, named])).toEqual([
        ['Twelve', 'number'],
        ['See the other', null],
      ]);
    }
    expect(await titles(`#${card.number + 1_000}`)).toEqual([]);
    expect(await titles('#999999999')).toEqual([]);
  });

  test('platform 10: cards of exactly that title come first, whatever words they have, page after page, each once', async () => {
    for (let n = 0; n < 12; n += 1) {
      await rig.create({ title: n % 2 ? 'The Who' : 'the who' });
      rig.clock.advance(1_000);
      await rig.create({ title: `Who is number ${n}`, body: 'Who, who, who?' });
      rig.clock.advance(1_000);
    }
    const foreign = await rig.create({ projectId: rig.otherProjectId, title: 'The Who' }, rig.stranger);
    for (const typed of ['the who', '"The Who"']) {
      const pages = [await search(typed), await search(typed, [rig.projectId], 2)];
      const found = pages.flatMap(({ results }) => results);
      expect(found.slice(0, 12).map(({ title, named }) => [title.toLowerCase(), named])).toEqual(
        Array.from({ length: 12 }, () => ['the who', 'title']),
      );
      expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, false]);
      expect(new Set(found.map(({ url }) => url)).size).toBe(found.length);
      expect(found[0]).toMatchObject({ title: 'The Who', titleMarked: 'The Who' });
    }
    expect((await search('the who', [rig.otherProjectId])).results).toMatchObject([
      { number: foreign.number, named: 'title' },
    ]);
  });

  test('platform 19.14: cards of a project that was not named never appear, by number or by words', async () => {
    const mine = await rig.create({ title: 'My lamp' });
    const theirs = await rig.create({ projectId: rig.otherProjectId, title: 'Their lamp' }, rig.stranger);
    expect(await titles('lamp')).toEqual(['My lamp']);
    expect(await titles('-nothing')).toEqual(['My lamp']);
    expect((await titles('lamp', both())).sort()).toEqual(['My lamp', 'Their lamp']);
    expect(await titles(`#${theirs.number}`)).toEqual(mine.number === theirs.number ? ['My lamp'] : []);
    expect(await titles('lamp', [rig.ids.next()])).toEqual([]);
  });

  test('platform 10: no cards while the board is off', async () => {
    const { number } = await rig.create({ title: 'A lamp' });
    rig.flags.set('board.enabled', 'false');
    expect(await search('lamp')).toEqual({ results: [], hasMore: false });
    expect(await search(`#${number}`)).toEqual({ results: [], hasMore: false });
  });

  test('platform 10: quotes, OR and a leading minus work, and the last word while it is typed', async () => {
    await rig.create({ title: 'Blue lanterns' });
    await rig.create({ title: 'Lanterns, blue' });
    expect(await titles('"blue lantern"')).toEqual(['Blue lanterns']);
    expect((await titles('"blue lantern" OR "lantern blue"')).sort()).toEqual([
      'Blue lanterns',
      'Lanterns, blue',
    ]);
    expect(await titles('lantern -"blue lantern"')).toEqual(['Lanterns, blue']);
    expect((await titles('blue lant')).length).toBe(2);
    expect(await titles('red lant')).toEqual([]);
    expect(await titles('the')).toEqual([]);
  });

  test('a text that is changed is found by its new words only, and its language stays', async () => {
    const { cardId } = await rig.create({ title: 'Old words' });
    await rig.update(cardId, { title: 'New sentences' });
    expect(await titles('words')).toEqual([]);
    expect(await titles('sentence')).toEqual(['New sentences']);
  });

  test.each([
    '!',
    '& | !',
    "' OR 1=1 --",
    '\\',
    '"',
    '<script>alert(1)</script>',
    '🚢',
    'שלום',
    '%_',
    '#',
    '#0',
    '#12; DROP TABLE board.card',
    'x'.repeat(10_000),
  ])('whatever is typed is answered: %#', async (typed) => {
    await rig.create({ title: 'Plan' });
    expect((await search(typed)).results.filter(({ title }) => title !== 'Plan')).toEqual([]);
  });

  describe('with many cards', () => {
    const MANY = 13_000;

    beforeEach(async () => {
      await rig.database.query(
        `WITH made AS (
           INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, created_at,
             updated_at, revision)
           SELECT gen_random_uuid(), $1, n, 'Lamp ' || n, 'bug', $2, n, 'agent', 'agent',
             timestamptz '2026-01-01' + n * interval '1 s', now(), 1 FROM generate_series(1, ${MANY}) n RETURNING *)
         INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
         SELECT id, $1, title, 'english', created_at, to_tsvector('english', title) FROM made`,
        [rig.projectId, await rig.column('backlog')],
      );
      await rig.database.query('ANALYZE board.card, board.card_text');
    });

    test('a card of exactly that title comes first, though all others are newer and hold its words', async () => {
      await rig.database.query(`WITH oldest AS (UPDATE board.card SET title = 'Lamp' WHERE number = 1 RETURNING id)
        UPDATE board.card_text SET title = 'Lamp', search_vector = to_tsvector('english', 'Lamp')
         WHERE card_id IN (SELECT id FROM oldest)`);
      for (const typed of ['Lamp', 'lamp', '"lamp"']) {
        const { results } = await search(typed);
        expect(results.map(({ named }) => named)).toEqual([
          'title',
          ...Array.from({ length: 9 }, () => null),
        ]);
        expect(results[0]!.number).toBe(1);
      }
      const second = (await search('lamp', [rig.projectId], 2)).results.map(({ number: of }) => of);
      expect(second).toHaveLength(10);
      expect(second).not.toContain(1);
    });

    test('a whole title is found by its index, whatever marks that nobody sees stand in it', async () => {
      await rig.database.query(
        "UPDATE board.card_text SET title = U&'\\200FLamp\\00AD 77' WHERE title = 'Lamp 77'",
      );
      const spy = jest.spyOn(rig.database, 'query');
      expect((await search('lamp 77')).results[0]).toMatchObject({ number: 77, named: 'title' });
      const [sql, parameters] = spy.mock.calls.find(([text]) => text.includes("'title'"))!;
      spy.mockRestore();
      const lines = await rig.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
      expect(lines.map((line) => line['QUERY PLAN']).join('\n')).toContain('card_text_whole_title');
    });

    test('a word of all of them shows the newest, page after page without a gap, by the order of age', async () => {
      const seen = new Set<number>();
      for (const page of [1, 2, 3, 50, 51, 52]) {
        const { results, hasMore } = await search('lamps', [rig.projectId], page);
        expect([results.length, hasMore]).toEqual([10, true]);
        for (const { number } of results) seen.add(number!);
      }
      expect(seen.size).toBe(60);
      expect(Math.max(...seen)).toBe(MANY);
      expect(Math.min(...seen)).toBe(MANY - 520 + 1);
      const spy = jest.spyOn(rig.database, 'query');
      await search('lamps', both());
      const [sql, parameters] = spy.mock.calls.find(([text]) => text.includes('full_shelf'))!;
      spy.mockRestore();
      const lines = await rig.database.snapshot(async () => {
        await rig.database.query('SET LOCAL enable_seqscan = off');
        const plan = await rig.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
        return plan.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(lines).toContain('Bitmap Index Scan on card_text_words');
      expect(lines).toContain('Index Scan using card_text_language');
      expect(lines).not.toContain('Seq Scan on card_text');
    });
  });
});
