import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { ArchiveDocument } from '../commands/archive-document.js';
import { MarkCommentsAddressed } from '../commands/mark-comments-addressed.js';
import { ReplyToComment } from '../commands/reply-to-comment.js';
import { ResolveThread } from '../commands/resolve-thread.js';
import { CompareVersions } from './compare-versions.js';
import { GetDocument } from './get-document.js';
import { GetDownload } from './get-download.js';
import { ListDocuments } from './list-documents.js';
import { ListDocumentsPage } from './list-documents-page.js';
import { ListVersions } from './list-versions.js';

describe('reading a review', () => {
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

  const statements = async (work: () => Promise<unknown>): Promise<number> => {
    const spy = jest.spyOn(rig.database, 'query');
    try {
      await work();
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  };

  /** A document with `n` paragraphs, each of which has a comment. */
  async function commented(n: number, body: string) {
    const markdown = Array.from({ length: n }, (_, i) => `Paragraph number ${1_000 + i} of the plan.`).join(
      '\n\n',
    );
    const { documentId } = await rig.create({ markdown });
    const ids: string[] = [];
    for (let i = 0; i < n; i += 1)
      ids.push(await rig.comment(documentId, `number ${1_000 + i} of`, { body }));
    return { documentId, ids };
  }

  test('threads that fit one answer come in text order, those about the whole document first', async () => {
    const { documentId, ids } = await commented(5, 'short');
    const whole = await rig.comment(documentId, null);
    await rig
      .get(MarkCommentsAddressed)
      .execute(rig.agent, { projectId: rig.projectId, commentIds: [ids[0]!, ids[3]!] });
    const review = await rig.review(documentId);
    expect(review.comments.map((c) => c.id)).toEqual([whole, ...ids]);
    expect(review).toMatchObject({ hasMore: false, nextAfter: null, agentReviews: [] });
  });

  test('threads that do not fit come pending first, in pages of at most 20,000 characters, each thread once', async () => {
    const { documentId, ids } = await commented(30, 'x'.repeat(3_000));
    await rig
      .get(MarkCommentsAddressed)
      .execute(rig.agent, { projectId: rig.projectId, commentIds: ids.slice(0, 10) });
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const review: Awaited<ReturnType<DocumentsRig['review']>> = await rig.review(documentId, { after });
      expect(JSON.stringify(review.comments).length).toBeLessThanOrEqual(20_100);
      expect(review.counts).toEqual({ pending: 20, addressed: 10, resolved: 0, orphaned: 0 });
      seen.push(...review.comments.map((c) => c.id));
      expect(review.hasMore).toBe(review.nextAfter !== null);
      after = review.nextAfter;
      pages += 1;
    } while (after !== null);
    expect(pages).toBeGreaterThan(3);
    expect(seen).toEqual([...ids.slice(10), ...ids.slice(0, 10)]);
  });

  test('a thread that is larger than an answer still comes whole, and limit counts threads', async () => {
    const { documentId, ids } = await commented(3, 'short');
    for (const body of ['y'.repeat(30_000), 'z'.repeat(30_000)])
      await rig
        .get(ReplyToComment)
        .execute(rig.agent, { projectId: rig.projectId, commentId: ids[0]!, body });
    const first = await rig.review(documentId);
    expect(first.comments.map((c) => c.id)).toEqual([ids[0]]);
    expect(first.comments[0]!.thread.map((r) => r.body.length)).toEqual([30_000, 30_000]);
    expect((await rig.review(documentId, { after: first.nextAfter })).comments.map((c) => c.id)).toEqual(
      ids.slice(1),
    );
    expect(await rig.review(documentId, { after: ids[0], limit: 1 })).toMatchObject({
      nextAfter: ids[1],
      hasMore: true,
    });
    expect((await rig.review(documentId, { limit: 0 })).comments).toHaveLength(1);
  });

  test('an after that the version does not hold is refused', async () => {
    const { documentId, ids } = await commented(1, 'short');
    await rig.revise(documentId, { markdown: 'Paragraph number 1000 of the plan, and more.' });
    expect(await refusalOf(rig.review(documentId, { after: ids[0] }))).toBe(
      'after: The current version has no such thread. Start again without after.',
    );
    expect(await refusalOf(rig.review(documentId, { after: 'x', documentId: 'y' }))).toBe(
      'documentId: "y" is not a valid id.\nafter: "x" is not a valid id.',
    );
  });

  test('resolved threads can be left out; counts speak of the whole version', async () => {
    const { documentId, ids } = await commented(2, 'short');
    await rig
      .get(ResolveThread)
      .execute(rig.owner, { projectId: rig.projectId, documentId, commentId: ids[0]! });
    const open = await rig.review(documentId, { includeResolved: false });
    expect(open.comments.map((c) => c.id)).toEqual([ids[1]]);
    expect(open.counts).toMatchObject({ pending: 1, resolved: 1 });
    expect((await rig.review(documentId)).comments).toHaveLength(2);
  });

  test('decisions and sections come with the first answer alone', async () => {
    const { documentId } = await rig.create({
      markdown: '## Part\n\n<!-- decision: d -->\n\nWhich?\n\n- A\n- B\n\n<!-- /decision -->\n',
    });
    const whole = await rig.comment(documentId, null);
    expect(await rig.review(documentId)).toMatchObject({
      decisions: [{ id: 'd' }],
      sections: [{ title: 'Part' }],
    });
    expect(await rig.review(documentId, { after: whole })).toMatchObject({
      decisions: [],
      sections: [],
      comments: [],
    });
  });

  test('documents 13: the number of statements does not grow with what is read', async () => {
    const { documentId } = await commented(12, 'short');
    const small = await rig.create({ title: 'Small' });
    const { projectId } = rig;
    const counted = {
      review: [
        await statements(() => rig.review(small.documentId)),
        await statements(() => rig.review(documentId)),
      ],
      page: [
        await statements(() => rig.page(small.documentId)),
        await statements(() => rig.page(documentId)),
      ],
      list: [
        await statements(() => rig.get(ListDocuments).execute(rig.agent, { projectId })),
        await statements(() => rig.get(ListDocuments).execute(rig.agent, { projectId, search: 'plan' })),
      ],
      listPage: [
        await statements(() => rig.get(ListDocumentsPage).execute(rig.owner, { projectId })),
        await statements(() => rig.get(ListDocumentsPage).execute(rig.owner, { projectId, q: 'plan' })),
      ],
    };
    // Access is faked here; the real one takes a statement for each of its questions.
    expect(Math.max(...counted.review)).toBeLessThanOrEqual(9);
    expect(Math.max(...counted.page)).toBeLessThanOrEqual(13);
    expect(Math.max(...counted.list)).toBeLessThanOrEqual(5);
    expect(Math.max(...counted.listPage)).toBeLessThanOrEqual(5);
  });

  test('the revision of a page changes with everything that it shows beside the text', async () => {
    const { documentId } = await rig.create();
    const revision = async () => (await rig.page(documentId)).reviewRevision;
    const seen = [await revision()];
    expect(await revision()).toBe(seen[0]);
    const commentId = await rig.comment(documentId, 'First paragraph');
    seen.push(await revision());
    await rig.get(ReplyToComment).execute(rig.agent, { projectId: rig.projectId, commentId, body: 'Yes.' });
    seen.push(await revision());
    await rig.get(ResolveThread).execute(rig.owner, { projectId: rig.projectId, documentId, commentId });
    seen.push(await revision());
    await rig.get(ArchiveDocument).execute(rig.owner, { projectId: rig.projectId, documentId });
    seen.push(await revision());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('the page says what its reader may do, and shows an old version as it was left', async () => {
    const { documentId } = await rig.create({ title: 'Paged', description: 'What it is for.' });
    const commentId = await rig.comment(documentId, 'First paragraph');
    await rig.revise(documentId, { markdown: 'First paragraph, later.' });
    const { GetReviewPage } = await import('./get-review-page.js');
    const page = await rig
      .get(GetReviewPage)
      .execute(rig.viewer, { projectId: rig.projectId, documentId, version: 1 });
    expect(page).toMatchObject({
      document: { id: documentId, title: 'Paged', currentVersion: 2, references: [], referencedBy: [] },
      version: {
        number: 1,
        isCurrent: false,
        description: 'What it is for.',
        author: { kind: 'agent', name: null },
      },
      threads: [{ id: commentId, mayEdit: false }],
      mayContribute: false,
      verdict: null,
    });
    expect((await rig.page(documentId)).mayContribute).toBe(true);
  });

  test('documents 15.60 and 15.61: versions are compared in three views, in the right order', async () => {
    const { documentId } = await rig.create({ markdown: 'One line.\n\nAnother line.' });
    await rig.revise(documentId, { markdown: 'One line.\n\nAnother, newer line.', description: 'Second.' });
    await rig.revise(documentId, { markdown: 'One line.\n\nThe third line.', description: 'Third.' });
    const compare = (from: number, to: number, view?: string) =>
      rig.get(CompareVersions).execute(rig.viewer, { projectId: rig.projectId, documentId, from, to, view });
    const rendered = await compare(3, 1);
    expect(rendered).toMatchObject({
      from: 1,
      to: 3,
      view: 'rendered',
      html: expect.stringContaining('<ins'),
      descriptions: [
        { version: 3, description: 'Third.' },
        { version: 2, description: 'Second.' },
      ],
    });
    expect(rendered.changes).toBeGreaterThan(0);
    expect(await compare(1, 2, 'side-by-side')).toMatchObject({
      view: 'side-by-side',
      rows: expect.any(Array),
    });
    const lines = await compare(1, 2, 'markdown');
    expect(lines).toMatchObject({ view: 'markdown' });
    expect('lines' in lines && lines.lines.map((line) => line.kind)).toEqual([
      'same',
      'same',
      'removed',
      'added',
    ]);
    expect(await compare(2, 2)).toMatchObject({ changes: 0, descriptions: [] });
    expect(await refusalOf(compare(1, 99))).toBe('Version not found or not accessible.');
    expect(await refusalOf(compare(0, 1, 'upside-down'))).toMatch(/^from: .*\nview: /);
  });

  test('the Markdown of a version is downloaded under a plain name', async () => {
    const { documentId } = await rig.create({ title: 'Über "Größe"/../x', markdown: 'Text\n' });
    const download = (version: number) =>
      rig.get(GetDownload).execute(rig.viewer, { projectId: rig.projectId, documentId, version });
    expect(await download(1)).toEqual({ fileName: 'uber-grosse-x-v1.md', markdown: 'Text\n' });
    expect(await refusalOf(download(2))).toBe('Version not found or not accessible.');
  });

  test('nothing is read by somebody who is no member', async () => {
    const { documentId } = await rig.create();
    const target = { projectId: rig.projectId, documentId };
    const refusals = await Promise.all([
      refusalOf(rig.get(GetDocument).execute(rig.stranger, target)),
      refusalOf(rig.get(ListVersions).execute(rig.stranger, target)),
      refusalOf(rig.get(GetDownload).execute(rig.stranger, { ...target, version: 1 })),
      refusalOf(rig.get(CompareVersions).execute(rig.stranger, { ...target, from: 1, to: 1 })),
    ]);
    expect(new Set(refusals)).toEqual(new Set(['Project not found or not accessible.']));
  });
});
