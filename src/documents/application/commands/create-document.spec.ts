import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { GetDocument } from '../queries/get-document.js';
import { GetDocumentDetails } from '../queries/get-document-details.js';
import { ListDocuments } from '../queries/list-documents.js';
import { ArchiveDocument } from './archive-document.js';
import { PublishDocument } from './publish-document.js';

describe('creating a document', () => {
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
  beforeEach(() => rig.forget());

  const read = (documentId: string, more = {}) =>
    rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId, ...more });

  test('documents 15.1: returns id, absolute review URL, version 1, in-review, english', async () => {
    const created = await rig.create({ title: '  Exports  ' });
    expect(created).toEqual({
      documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reviewUrl: `https://loupe.example/projects/${rig.projectId}/documents/${created.documentId}/review`,
      version: 1,
      status: 'in-review',
      language: 'english',
      tags: [],
      series: null,
      seriesOrdinal: null,
      warnings: [],
    });
    expect(rig.outbox.events.map((event) => event.type)).toEqual([
      'DocumentCreated',
      'DocumentReviewRequested',
    ]);
    expect(rig.audit.entries).toMatchObject([
      { operation: 'document.created', subjectId: created.documentId },
    ]);
    expect(rig.live.sent).toMatchObject([{ topic: `project:${rig.projectId}:documents`, type: 'list' }]);
    expect((await rig.page(created.documentId)).version.html).toContain('First paragraph of the plan.');
    expect(await read(created.documentId)).toMatchObject({ title: 'Exports' });
  });

  test('documents 15.2: a draft asks for no review until it is published, once', async () => {
    const { documentId, status } = await rig.create({ draft: true });
    expect(status).toBe('draft');
    expect(rig.outbox.events.map((event) => event.type)).toEqual(['DocumentCreated']);
    rig.forget();
    const publish = () =>
      rig.get(PublishDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    expect(await publish()).toEqual({ documentId, status: 'in-review', published: true });
    expect(await publish()).toEqual({ documentId, status: 'in-review', published: false });
    expect(rig.outbox.events.map((event) => event.type)).toEqual(['DocumentReviewRequested']);
    expect(rig.audit.entries.map((entry) => entry.operation)).toEqual(['document.published']);
  });

  test('documents 15.3: publishing an archived draft is refused and names documentId', async () => {
    const { documentId } = await rig.create({ draft: true });
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId, reason: 'Old.' });
    expect(
      await refusalOf(rig.get(PublishDocument).execute(rig.agent, { projectId: rig.projectId, documentId })),
    ).toBe('documentId: The document is archived. Call document_unarchive first.');
  });

  test('documents 15.4: everything that is wrong comes back at once, and nothing is stored', async () => {
    const list = () => rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId });
    const before = (await list()).total;
    const refusal = await refusalOf(
      rig.create({ title: ' ', language: 'klingon', seriesOrdinal: 3, markdown: '\n ' }),
    );
    expect(refusal.split('\n').map((line) => line.split(':')[0])).toEqual([
      'title',
      'markdown',
      'language',
      'series',
    ]);
    expect(refusal).toContain('title: A document title must not be blank.');
    expect(refusal).toContain('markdown: The Markdown must not be blank.');
    expect(refusal).toMatch(/Unknown search language "klingon"\. Use one of: .*english.*simple/);
    expect(refusal).toContain('series: A series position needs a series name.');
    expect(await refusalOf(rig.create({ title: 'x'.repeat(256) }))).toBe(
      'title: A document title must be at most 255 characters.',
    );
    expect(await refusalOf(rig.create({ title: 'a\nb' }))).toBe('title: A document title must be one line.');
    expect(await refusalOf(rig.create({ series: 'S' }))).toBe(
      'seriesOrdinal: A series name needs a position, counting from 1.',
    );
    expect((await list()).total).toBe(before);
    expect(rig.outbox.events).toEqual([]);
  });

  test('documents 15.5: 1,048,575 bytes are stored to the last, one more is refused with both numbers', async () => {
    const end = 'The tail of the text.';
    const full = `${'word '.repeat(300_000).slice(0, 1_048_575 - end.length - 1)}\n${end}`;
    expect(Buffer.byteLength(full)).toBe(1_048_575);
    const { documentId } = await rig.create({ markdown: full });
    expect((await rig.page(documentId)).version.plainText.trimEnd().endsWith(end)).toBe(true);
    expect(await refusalOf(rig.create({ markdown: `${full}x` }))).toBe(
      'markdown: The Markdown is 1048576 bytes. The limit is 1048575.',
    );
  });

  test('documents 15.6: a million bytes of distinct numbers are stored and found by the first ones', async () => {
    const numbers = Array.from({ length: 142_000 }, (_, n) => String(100_000 + n)).join(' ');
    const { documentId } = await rig.create({ title: 'Numbers', markdown: numbers });
    const found = await rig
      .get(ListDocuments)
      .execute(rig.agent, { projectId: rig.projectId, search: '100007' });
    expect(found.documents.map((document) => document.documentId)).toEqual([documentId]);
  });

  test('documents 15.7: U+0000 is refused, CRLF reads back as LF', async () => {
    expect(await refusalOf(rig.create({ markdown: 'a\u0000b' }))).toBe(
      'markdown: The Markdown must not contain the character U+0000.',
    );
    expect(
      await refusalOf(
        rig.create({ title: 'a\u0000b', tags: ['x\u0000y'], series: 'q\u0000', seriesOrdinal: 1 }),
      ),
    ).toMatch(/^title: .*\ntags: .*\nseries: .*$/);
    const { documentId } = await rig.create({ markdown: '\uFEFFone\r\n\r\ntwo\rthree' });
    expect((await read(documentId)).markdown).toBe('one\n\ntwo\nthree');
  });

  test('600 kB of four-byte emoji are stored unchanged', async () => {
    const line = '😀🚀🧪🦊'.repeat(20);
    const markdown = Array.from({ length: 1_900 }, () => line).join('\n\n');
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(600_000);
    const { documentId } = await rig.create({ title: 'Emoji 🧪', markdown });
    const details = await rig
      .get(GetDocumentDetails)
      .execute(rig.owner, { projectId: rig.projectId, documentId });
    expect(details.markdown === markdown).toBe(true);
    expect(details.title).toBe('Emoji 🧪');
  });

  test('documents 15.8: an id of another project and an unknown one get the same sentence', async () => {
    const { documentId } = await rig.create();
    const foreign = rig.connection(rig.stranger.personId, rig.otherProjectId);
    const ask = (id: string) =>
      refusalOf(rig.get(GetDocument).execute(foreign, { projectId: rig.otherProjectId, documentId: id }));
    expect(await ask(documentId)).toBe('documentId: Document not found or not accessible.');
    expect(await ask(rig.ids.next())).toBe('documentId: Document not found or not accessible.');
    expect(await ask('seven')).toBe('documentId: "seven" is not a valid id.');
    expect(
      await refusalOf(rig.get(GetDocument).execute(foreign, { projectId: rig.projectId, documentId })),
    ).toBe('Project not found or not accessible.');
  });

  test('a long text is read in slices that end at a line end and give the whole text together', async () => {
    const markdown = Array.from({ length: 900 }, (_, n) => `- entry ${n} with 😀 and some words`).join('\n');
    const { documentId } = await rig.create({ markdown });
    let text = '';
    let slices = 0;
    for (let offset: number | null = 0; offset !== null; slices += 1) {
      const slice: { markdown: string; nextOffset: number | null; totalCharacters: number } = await read(
        documentId,
        { offset, length: 5_000 },
      );
      expect(slice.totalCharacters).toBe([...markdown].length);
      if (slice.nextOffset !== null) expect(slice.markdown.endsWith('\n')).toBe(true);
      text += slice.markdown;
      offset = slice.nextOffset;
    }
    expect(slices).toBeGreaterThan(5);
    expect(text).toBe(markdown);
  });

  test('documents 15.53: without a language the default of the project counts; a later change touches new documents only', async () => {
    rig.projects.languages.set(rig.projectId, 'german');
    const before = await rig.create();
    rig.projects.languages.set(rig.projectId, 'french');
    const after = await rig.create();
    rig.projects.languages.set(rig.projectId, 'gone_language');
    const fallback = await rig.create();
    rig.projects.languages.delete(rig.projectId);
    expect([before.language, after.language, fallback.language]).toEqual(['german', 'french', 'simple']);
    expect((await read(before.documentId)).language).toBe('german');
    expect((await rig.create({ language: ' Spanish ' })).language).toBe('spanish');
  });

  test('a viewer may not create, a stranger finds no project', async () => {
    const viewer = rig.connection(rig.viewer.personId, rig.projectId);
    const { CreateDocument } = await import('./create-document.js');
    const input = { projectId: rig.projectId, title: 'T', markdown: 'M' };
    expect(await refusalOf(rig.get(CreateDocument).execute(viewer, input))).toMatch(
      /^Your role in this project is viewer/,
    );
    expect(await refusalOf(rig.get(CreateDocument).execute(rig.stranger, input))).toBe(
      'Project not found or not accessible.',
    );
  });
});
