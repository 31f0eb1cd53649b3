import { readSearchQuery } from '#src/platform/domain/search-query.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { ArchiveDocument } from '../application/commands/archive-document.js';
import { CreateDocument } from '../application/commands/create-document.js';
import { DocumentsRig } from '../testing/documents-rig.js';
import { DocumentsSearch } from './documents-search.js';

describe('documents in the search of the whole product', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await DocumentsRig.start(postgres.database);
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });
  beforeEach(async () => {
    await postgres.database.query('DELETE FROM documents.document');
  });

  const search = (typed: string, projects = [rig.projectId], page = 1) =>
    rig.get(DocumentsSearch).search(projects, readSearchQuery(typed), page);
  const titles = async (typed: string, projects?: string[]) =>
    (await search(typed, projects)).results.map(({ title }) => title);
  const elsewhere = (input: { title: string; markdown: string; language?: string }) =>
    rig.get(CreateDocument).execute(rig.connection(rig.stranger.personId, rig.otherProjectId), {
      projectId: rig.otherProjectId,
      ...input,
    });

  test('registers with the platform', () => {
    expect(rig.search.all.map(({ name }) => name)).toEqual(['documents']);
  });

  test('platform 10: finds by title and text, marks the words, and titles weigh more', async () => {
    await rig.create({ title: 'Booking', markdown: 'Rows are **exported** at \\<night>.' });
    rig.clock.advance(1_000);
    const { documentId } = await rig.create({ title: 'Exporting rows', markdown: 'A short plan.' });
    rig.clock.advance(1_000);
    await rig.create({ title: 'Another', markdown: 'Nothing of it.' });
    expect((await search('exports')).results).toEqual([
      {
        kind: 'document',
        projectId: rig.projectId,
        title: 'Exporting rows',
        titleMarked: '<mark>Exporting</mark> rows',
        url: `/projects/${rig.projectId}/documents/${documentId}/review`,
        snippet: 'A short plan.',
        number: null,
        status: 'in-review',
        finished: false,
        archived: false,
        named: null,
      },
      expect.objectContaining({
        title: 'Booking',
        snippet: 'Rows are <mark>exported</mark> at &lt;night&gt;.',
      }),
    ]);
  });

  test('platform 19.13: an archived document and a draft are found, and the archived one is marked', async () => {
    const { documentId } = await rig.create({ title: 'An old harbour', markdown: 'Text.' });
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId, reason: 'Done.' });
    await rig.create({ title: 'A new harbour', markdown: 'Text.', draft: true });
    const { results } = await search('harbour');
    expect(results.map(({ title, archived, status }) => [title, archived, status]).sort()).toEqual([
      ['A new harbour', false, 'draft'],
      ['An old harbour', true, 'in-review'],
    ]);
  });

  test('platform 10: quotes, OR and a leading minus work as in a search of the web, each document in its language', async () => {
    await rig.create({ title: 'One', markdown: 'Blue lanterns hang here.' });
    await rig.create({ title: 'Two', markdown: 'The lanterns are blue.' });
    await rig.create({ title: 'Trois', markdown: 'Les utilisateurs attendent.', language: 'french' });
    await rig.create({ title: 'Plain', markdown: 'users wait', language: 'simple' });
    expect(await titles('"blue lantern"')).toEqual(['One']);
    expect((await titles('"blue lantern" OR utilisateur')).sort()).toEqual(['One', 'Trois']);
    expect(await titles('lantern -hang')).toEqual(['Two']);
    expect(await titles('"user" -lantern')).toEqual([]);
    expect(await titles('the')).toEqual([]);
  });

  test('the last word is found while it is being typed, and not in quotes or when it is left out', async () => {
    await rig.create({ title: 'Lighthouse', markdown: 'A tower of light.' });
    expect(await titles('ligh')).toEqual(['Lighthouse']);
    expect(await titles('tower lighth')).toEqual(['Lighthouse']);
    expect(await titles('bridge lighth')).toEqual([]);
    expect(await titles('"ligh"')).toEqual([]);
    expect(await titles('tower -ligh')).toEqual(['Lighthouse']);
    const { results } = await search('lighth');
    expect(results[0]!.titleMarked).toBe('<mark>Lighthouse</mark>');
  });

  test('platform 10: several projects at once, and never one that was not named', async () => {
    await rig.create({ title: 'Mine', markdown: 'A ferry.' });
    await elsewhere({ title: 'Theirs', markdown: 'A ferry.' });
    await elsewhere({ title: 'Le leur', markdown: 'Un ferry.', language: 'french' });
    expect(await titles('ferry')).toEqual(['Mine']);
    expect((await titles('ferry', [rig.projectId, rig.otherProjectId])).sort()).toEqual([
      'Le leur',
      'Mine',
      'Theirs',
    ]);
    expect(await titles('ferry', [rig.ids.next()])).toEqual([]);
    expect(await titles('-nothing')).toEqual(['Mine']);
  });

  test('platform 10: ten a page, each once, and the last page says that it is the last', async () => {
    for (let n = 1; n <= 23; n += 1) {
      rig.clock.advance(1_000);
      await rig.create({ title: `Ferry ${n}`, markdown: 'Text.' });
    }
    const pages = [1, 2, 3, 4].map((page) => search('ferry', [rig.projectId], page));
    const answers = await Promise.all(pages);
    expect(answers.map(({ results, hasMore }) => [results.length, hasMore])).toEqual([
      [10, true],
      [10, true],
      [3, false],
      [0, false],
    ]);
    expect(new Set(answers.flatMap(({ results }) => results.map(({ title }) => title))).size).toBe(23);
  });

  test.each([
    '!',
    '& | !',
    "' OR 1=1 --",
    '\\',
    '"',
    '(((',
    ':*',
    '<script>alert(1)</script>',
    '🚢',
    'שלום عليكم',
    '%_',
    '$1',
    "it's",
    'x'.repeat(10_000),
  ])('whatever is typed is answered: %#', async (typed) => {
    await rig.create({ title: 'Plan', markdown: 'Text.' });
    expect((await search(typed)).results.filter(({ title }) => title !== 'Plan')).toEqual([]);
  });

  test('right-to-left words and emoji in a document are found and shown', async () => {
    await rig.create({ title: 'שלום 🚢', markdown: 'مرحبا بالعالم 🚢 & <b>' });
    const { results } = await search('שלום');
    expect(results[0]).toMatchObject({ titleMarked: '<mark>שלום</mark> 🚢' });
    expect((await search('مرحبا')).results[0]!.snippet).toContain('<mark>مرحبا</mark>');
  });
});
