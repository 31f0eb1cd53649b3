import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { ArchiveDocument } from '../commands/archive-document.js';
import { ChangeDocument } from '../commands/change-document.js';
import { RenameDocument } from '../commands/rename-document.js';
import { RenameSeries } from '../commands/rename-series.js';
import { SetDocumentReferences } from '../commands/set-document-references.js';
import { SetDocumentSeries } from '../commands/set-document-series.js';
import { SetDocumentTags } from '../commands/set-document-tags.js';
import { UnarchiveDocument } from '../commands/unarchive-document.js';
import { GetDocument } from './get-document.js';
import { ListDocuments, type ListDocumentsInput } from './list-documents.js';
import { ListDocumentsPage } from './list-documents-page.js';
import { ListSeries } from './list-series.js';
import { ListTags } from './list-tags.js';

describe('finding documents', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ pool: 10 });
  });
  afterAll(() => postgres.stop());
  // A project of its own for each test: the rig makes a new one.
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
  });
  afterEach(() => rig.stop());

  const list = (input: Partial<ListDocumentsInput> = {}) =>
    rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, ...input });
  const titles = async (input: Partial<ListDocumentsInput> = {}) =>
    (await list(input)).documents.map((document) => document.title);

  test('documents 15.45: words are found in the language of each document, with quotes and OR', async () => {
    await rig.create({ title: 'English', markdown: 'All exports run at night.' });
    await rig.create({ title: 'Plain', markdown: 'All exports run at night.', language: 'simple' });
    await rig.create({
      title: 'French',
      markdown: 'Les utilisateurs mangeaient des pommes.',
      language: 'french',
    });
    expect(await titles({ search: 'exporting' })).toEqual(['English']);
    expect((await titles({ search: 'exports' })).sort()).toEqual(['English', 'Plain']);
    expect(await titles({ search: 'manger' })).toEqual(['French']);
    expect(await titles({ search: '"run at night" -english' })).toEqual(['Plain']);
    expect(await titles({ search: '"night at run"' })).toEqual([]);
    expect((await titles({ search: 'exporting OR manger' })).sort()).toEqual(['English', 'French']);
    expect(await titles({ search: 'the and of' })).toEqual([]);
    expect(await titles({ search: '   ' })).toHaveLength(3);
    expect(await titles({ search: "'; DROP TABLE x; -- :* & | ! <-> \u0000" })).toEqual([]);
    expect(await refusalOf(list({ search: 'x'.repeat(501) }))).toBe(
      'search: Search for at most 500 characters.',
    );
  });

  test('marks that nobody sees hide no word, wherever they stand', async () => {
    await rig.create({
      title: '\u200fمرحبا',
      markdown: 'The wel\u00adcome of \u2066guests\u2069.',
      language: 'simple',
    });
    for (const search of ['مرحبا', '\u200fمرحبا\u200e', 'welcome', 'guests', 'gue\u200bsts']) {
      expect(await titles({ search })).toHaveLength(1);
    }
  });

  test('documents 15.46: current text alone is found, and a new title at once', async () => {
    const { documentId } = await rig.create({ title: 'Storage', markdown: 'We keep walruses.' });
    await rig.revise(documentId, { markdown: 'We keep penguins.' });
    expect(await titles({ search: 'walruses' })).toEqual([]);
    expect(await titles({ search: 'penguin' })).toEqual(['Storage']);
    await rig
      .get(RenameDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId, title: 'Aquarium' });
    expect(await titles({ search: 'aquarium' })).toEqual(['Aquarium']);
    expect(await titles({ search: 'storage' })).toEqual([]);
    expect(await titles({ search: 'penguin' })).toEqual(['Aquarium']);
  });

  test('a hit in the title comes before one in the text', async () => {
    await rig.create({ title: 'Other things', markdown: 'Something about walruses here.' });
    await rig.create({ title: 'Walruses', markdown: 'Something else.' });
    rig.clock.advance(1_000);
    await rig.create({ title: 'Third thing', markdown: 'Something about walruses there.' });
    expect(await titles({ search: 'walruses' })).toEqual(['Walruses', 'Third thing', 'Other things']);
  });

  test('documents 15.47: filters combine, paging is clamped, an unknown status is refused with the list', async () => {
    expect(await refusalOf(list({ status: 'reviewing' }))).toBe(
      'status: Unknown status "reviewing". Use one of: draft, in-review, approved, changes-requested.',
    );
    await rig.create({ title: 'One', tags: ['tech-design'] });
    await rig.create({ title: 'Two', tags: ['tech-design'], draft: true });
    await rig.create({ title: 'Three' });
    expect((await titles({ tag: '  Tech-Design ' })).sort()).toEqual(['One', 'Two']);
    expect(await titles({ tag: 'tech-design', status: 'draft' })).toEqual(['Two']);
    expect(await titles({ tag: 'unheard of' })).toEqual([]);
    expect(await titles({ tag: ' ', series: '', status: '' })).toHaveLength(3);
    expect(await list({ page: 999 })).toMatchObject({ documents: [], page: 999, total: 3, hasMore: false });
    expect(await list({ perPage: 5_000 })).toMatchObject({ perPage: 100, page: 1, total: 3 });
    expect(await list({ perPage: 2 })).toMatchObject({ perPage: 2, hasMore: true });
    expect(await list({ perPage: 2, page: 2, search: 'plan' })).toMatchObject({ total: 3, hasMore: false });
  });

  test('documents 15.48: tags are folded, and the list counts archived documents and keeps unused tags', async () => {
    const first = await rig.create({ tags: ['Design', 'design ', ' '] });
    expect(first.tags).toEqual(['design']);
    const tags = () => rig.get(ListTags).execute(rig.agent, { projectId: rig.projectId });
    await rig.create({ tags: ['a  b', 'design'] });
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId: first.documentId, reason: 'Old.' });
    expect(await tags()).toEqual({
      tags: [
        { name: 'a b', documentCount: 1 },
        { name: 'design', documentCount: 2 },
      ],
    });
    rig.forget();
    const set = (names: string[]) =>
      rig
        .get(SetDocumentTags)
        .execute(rig.agent, { projectId: rig.projectId, documentId: first.documentId, tags: names });
    expect(await set(['DESIGN'])).toEqual({ documentId: first.documentId, tags: ['design'] });
    expect(rig.outbox.events).toEqual([]);
    expect(await set([])).toEqual({ documentId: first.documentId, tags: [] });
    expect(rig.outbox.events.map((event) => event.type)).toEqual(['DocumentTagsChanged']);
    expect(await refusalOf(set(Array.from({ length: 21 }, (_, n) => `t${n}`)))).toBe(
      'tags: A document takes at most 20 tags.',
    );
    expect(await refusalOf(set(['x'.repeat(51)]))).toMatch(
      /^tags: A tag name must be at most 50 characters: "x/,
    );
  });

  test('the same new tags and series at once make one row each', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        rig.create({ tags: n % 2 ? ['x', 'y'] : ['y', 'x'], series: 'Race', seriesOrdinal: n + 1 }),
      ),
    );
    const { tags } = await rig.get(ListTags).execute(rig.agent, { projectId: rig.projectId });
    expect(tags).toEqual([
      { name: 'x', documentCount: 6 },
      { name: 'y', documentCount: 6 },
    ]);
    const { series } = await rig.get(ListSeries).execute(rig.agent, { projectId: rig.projectId });
    expect(series).toMatchObject([{ name: 'Race', documentCount: 6, highestOrdinal: 6 }]);
  });

  test('documents 15.49: a series keeps its first spelling, and a taken position names its holder', async () => {
    const first = await rig.create({ series: 'Rust  Notes', seriesOrdinal: 1 });
    const second = await rig.create({ title: 'Second', series: 'rust   notes', seriesOrdinal: 2 });
    expect([first.series, second.series]).toEqual(['Rust Notes', 'Rust Notes']);
    expect(await refusalOf(rig.create({ series: 'RUST NOTES', seriesOrdinal: 2 }))).toBe(
      `seriesOrdinal: Position 2 of that series is held by "Second" (${second.documentId}). The next free one is 3.`,
    );
    expect(await titles()).toHaveLength(2);
    const { series } = await rig.get(ListSeries).execute(rig.agent, { projectId: rig.projectId });
    expect(series).toMatchObject([{ name: 'Rust Notes', documentCount: 2, highestOrdinal: 2 }]);
    expect((await list({ series: ' rust notes' })).documents.map((d) => d.seriesOrdinal)).toEqual([1, 2]);
    expect(
      (await list({ series: 'Rust Notes', search: 'plan' })).documents.map((d) => d.seriesOrdinal),
    ).toEqual([1, 2]);
  });

  test('one position taken twice at once: the loser gets the sentence with the next free one', async () => {
    const results = await Promise.allSettled([
      rig.create({ title: 'P', series: 'S', seriesOrdinal: 1 }),
      rig.create({ title: 'Q', series: 'S', seriesOrdinal: 1 }),
    ]);
    const lost = results.filter((result) => result.status === 'rejected') as PromiseRejectedResult[];
    expect(lost).toHaveLength(1);
    expect(lost[0]!.reason).toMatchObject({
      code: 'taken',
      message: expect.stringContaining('The next free one is 2.'),
    });
  });

  test('documents 15.50: a series is never merged; another case of its own name is fine', async () => {
    const { documentId } = await rig.create({ series: 'Alpha', seriesOrdinal: 7 });
    await rig.create({ series: 'Beta', seriesOrdinal: 1 });
    const rename = (series: string, newName: string) =>
      rig.get(RenameSeries).execute(rig.agent, { projectId: rig.projectId, series, newName });
    expect(await refusalOf(rename('alpha', 'BETA'))).toBe(
      'newName: The project already has a series of that name.',
    );
    expect(await rename(' alpha', 'ALPHA')).toMatchObject({ series: 'ALPHA', documentCount: 1 });
    expect(await refusalOf(rename('Gamma', 'Delta'))).toBe(
      'series: No series named "Gamma". The series are: ALPHA, Beta.',
    );
    expect(await refusalOf(rename('Beta', ' '))).toBe('newName: A series name must not be blank.');
    expect(await refusalOf(rename('Beta', 'x'.repeat(101)))).toBe(
      'newName: A series name must be at most 100 characters.',
    );
    const read = await rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    expect(read).toMatchObject({ series: 'ALPHA', seriesOrdinal: 7 });
  });

  test('a document leaves its series with an empty name, and its place is free again', async () => {
    const { documentId } = await rig.create({ series: 'S', seriesOrdinal: 1 });
    expect(await rig.revise(documentId, { markdown: 'New.', series: '' })).toMatchObject({ version: 2 });
    await rig.create({ series: 'S', seriesOrdinal: 1 });
    const set = (series?: string, seriesOrdinal?: number) =>
      rig
        .get(SetDocumentSeries)
        .execute(rig.agent, { projectId: rig.projectId, documentId, series, seriesOrdinal });
    expect(await set('S', 2)).toEqual({ documentId, series: 'S', seriesOrdinal: 2 });
    expect(await set()).toEqual({ documentId, series: null, seriesOrdinal: null });
    expect(await refusalOf(set('S'))).toBe('seriesOrdinal: A series name needs a position, counting from 1.');
    expect(await refusalOf(set('S', 0))).toBe(
      'seriesOrdinal: A series position must be a whole number between 1 and 2147483647.',
    );
  });

  test('documents 15.51: a reference shows on both documents, and one to an archived document is marked', async () => {
    const target = await rig.create({ title: 'Target' });
    const source = await rig.create({ title: 'Source', references: [target.documentId, target.documentId] });
    const read = (documentId: string) =>
      rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId: target.documentId, reason: 'Old.' });
    expect(await read(source.documentId)).toMatchObject({
      references: [{ documentId: target.documentId, title: 'Target', archived: true }],
      referencedBy: [],
    });
    expect(await read(target.documentId)).toMatchObject({
      references: [],
      referencedBy: [{ documentId: source.documentId, title: 'Source', archived: false }],
    });
    const set = (references: string[]) =>
      rig
        .get(SetDocumentReferences)
        .execute(rig.agent, { projectId: rig.projectId, documentId: source.documentId, references });
    expect(await refusalOf(set([source.documentId]))).toBe('references: A document cannot reference itself.');
    const unknown = rig.ids.next();
    expect(await refusalOf(set([target.documentId, unknown]))).toBe(
      `references: Not found or not accessible: ${unknown}.`,
    );
    expect(await refusalOf(set(['x']))).toBe('references[0]: "x" is not a valid id.');
    expect(await set([])).toEqual({ documentId: source.documentId, references: [] });
  });

  test('documents 15.52: archiving needs a reason of the agent, keeps the first one, and is recorded once', async () => {
    const { documentId } = await rig.create();
    const archive = (reason?: string, actor: typeof rig.agent | typeof rig.owner = rig.agent) =>
      rig.get(ArchiveDocument).execute(actor, { projectId: rig.projectId, documentId, reason });
    expect(await refusalOf(archive(' '))).toBe('reason: Say why the document is archived.');
    expect(await refusalOf(archive('x'.repeat(501)))).toBe(
      'reason: A reason must be at most 500 characters.',
    );
    rig.forget();
    expect(await archive('First.')).toEqual({ documentId, archived: true });
    expect(await archive('Second.')).toEqual({ documentId, archived: true });
    expect(rig.audit.entries.map((entry) => entry.operation)).toEqual(['document.archived']);
    expect(
      await rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId }),
    ).toMatchObject({
      archived: true,
      archiveReason: 'First.',
      status: 'in-review',
    });
    expect(await titles()).toEqual([]);
    expect(await titles({ includeArchived: true })).toEqual(['A plan']);
    const unarchive = () =>
      rig.get(UnarchiveDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    expect(await unarchive()).toEqual({ documentId, archived: false });
    await unarchive();
    expect(rig.outbox.events.map((event) => event.type)).toEqual(['DocumentArchived', 'DocumentUnarchived']);
  });

  test('what stands around the text changes in one go or not at all', async () => {
    const { documentId } = await rig.create({ title: 'Before' });
    const change = (input: object) =>
      rig.get(ChangeDocument).execute(rig.owner, { projectId: rig.projectId, documentId, ...input });
    rig.forget();
    expect(await refusalOf(change({ title: 'After', references: [rig.ids.next()] }))).toMatch(
      /^references: /,
    );
    expect(await titles()).toEqual(['Before']);
    expect(await change({ title: 'After', tags: ['b', 'a'], series: 'S', seriesOrdinal: 1 })).toEqual({
      documentId,
      title: 'After',
      tags: ['a', 'b'],
      references: [],
      series: 'S',
      seriesOrdinal: 1,
    });
    rig.forget();
    await change({ title: 'After', tags: ['a', 'b'], series: 's', seriesOrdinal: 1 });
    expect([rig.outbox.events, rig.audit.entries, rig.live.sent]).toEqual([[], [], []]);
  });

  test('the list page ignores filter values that do not exist, and shows what its filters offer', async () => {
    await rig.create({
      title: 'Shown',
      tags: ['x'],
      series: 'S',
      seriesOrdinal: 1,
      description: 'What it is.',
    });
    const page = await rig.get(ListDocumentsPage).execute(rig.viewer, {
      projectId: rig.projectId,
      status: 'nonsense',
      tag: 'unheard of',
      series: 'unheard of',
      page: -4,
    });
    expect(page).toMatchObject({
      documents: [
        {
          title: 'Shown',
          version: 1,
          status: 'in-review',
          tags: ['x'],
          series: 'S',
          seriesOrdinal: 1,
          versionDescription: 'What it is.',
          author: 'agent',
          waitingThreads: 0,
          openThreads: 0,
        },
      ],
      page: 1,
      perPage: 25,
      total: 1,
      hasMore: false,
      tags: [{ name: 'x', documentCount: 1 }],
      series: [{ name: 'S', documentCount: 1, highestOrdinal: 1 }],
    });
  });
});
