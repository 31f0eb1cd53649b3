import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { ArchiveDocument } from './archive-document.js';
import { SetDocumentHighlights } from './set-document-highlights.js';

const MARKDOWN =
  '## Part\n\nExports move to a **queue** soon.\n\nThe queue is new.\n\n- One entry\n- Two entries\n';

describe('highlights', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;
  let documentId: string;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
    rig.flags.set('review.highlights.enabled', 'true');
    ({ documentId } = await rig.create({ markdown: MARKDOWN }));
    rig.forget();
  });
  afterEach(() => rig.stop());

  const highlight = (quotes: string[], id = documentId) =>
    rig.get(SetDocumentHighlights).execute(rig.agent, { projectId: rig.projectId, documentId: id, quotes });
  /** The words that the page tints. */
  const tinted = async (version?: number) => {
    const page = await rig.page(documentId, version);
    return page.highlights.map(({ start, end }) => page.version.plainText.slice(start, end));
  };

  test('documents 15.54: found quotes are tinted on the page, source with Markdown signs is not found', async () => {
    expect(await highlight(['move to a queue soon', '**queue**', 'The queue is new.'])).toEqual({
      highlighted: ['move to a queue soon', 'The queue is new.'],
      skipped: [{ quote: '**queue**', reason: 'not_found' }],
    });
    expect(await tinted()).toEqual(['move to a queue soon', 'The queue is new.']);
    expect(rig.outbox.events).toMatchObject([
      { type: 'HighlightsChanged', payload: { documentId, count: 2 } },
    ]);
    expect(rig.audit.entries.map(({ operation }) => operation)).toEqual(['document.highlights_set']);
    expect(rig.live.sent).toHaveLength(1);
  });

  test('documents 15.54: a revision drops them, and the old version keeps its own', async () => {
    await highlight(['One entry']);
    await rig.revise(documentId, { markdown: `${MARKDOWN}\n\nOne more line.` });
    expect(await tinted()).toEqual([]);
    expect(await tinted(1)).toEqual(['One entry']);
  });

  test('documents 15.54: each call replaces the whole set, and none clears it', async () => {
    await highlight(['One entry', 'Two entries']);
    await highlight(['Two entries']);
    expect(await tinted()).toEqual(['Two entries']);
    expect(await highlight([])).toEqual({ highlighted: [], skipped: [] });
    expect(await tinted()).toEqual([]);
  });

  test('documents 15.54: with the flag off, stored ones stay hidden and come back with it', async () => {
    await highlight(['One entry']);
    const { reviewRevision } = await rig.page(documentId);
    rig.flags.set('review.highlights.enabled', null);
    expect(await tinted()).toEqual([]);
    expect((await rig.page(documentId)).reviewRevision).not.toBe(reviewRevision);
    rig.flags.set('review.highlights.enabled', 'true');
    expect(await tinted()).toEqual(['One entry']);
  });

  test('the same set again tells nobody', async () => {
    await highlight(['One entry']);
    rig.forget();
    await highlight(['One entry']);
    expect([rig.outbox.events, rig.audit.entries, rig.live.sent]).toEqual([[], [], []]);
  });

  test('a quote that cannot be used never fails the call, and each says why', async () => {
    const long = 'x'.repeat(2_001);
    expect((await highlight(['One entry', ' One  entry ', '  ', long, 'soon. The queue'])).skipped).toEqual([
      { quote: ' One  entry ', reason: 'duplicate' },
      { quote: '  ', reason: 'blank' },
      { quote: long, reason: 'too_long' },
      { quote: 'soon. The queue', reason: 'not_found' },
    ]);
  });

  test('more than 100 quotes, unknown ids and archived documents are refused', async () => {
    expect(await refusalOf(highlight(Array.from({ length: 101 }, (_, n) => `${n}`)))).toBe(
      'quotes: A version takes at most 100 highlights.',
    );
    for (const unknown of [rig.ids.next(), (await rig.create()).documentId.replace(/.$/, 'z')])
      expect(await refusalOf(highlight([], unknown))).toMatch(/^documentId: /);
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId, reason: 'Over.' });
    expect(await refusalOf(highlight(['One entry']))).toBe(
      'documentId: The document is archived. Call document_unarchive first.',
    );
  });
});
