import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { GetThread } from '../queries/get-thread.js';
import { ListDeletedThreads } from '../queries/list-deleted-threads.js';
import { ListDocumentsPage } from '../queries/list-documents-page.js';
import { AddComment } from './add-comment.js';
import { ArchiveDocument } from './archive-document.js';
import { DeleteThread } from './delete-thread.js';
import { EditComment } from './edit-comment.js';
import { MarkCommentsAddressed } from './mark-comments-addressed.js';
import { MarkDocumentRead } from './mark-document-read.js';
import { PurgeThread } from './purge-thread.js';
import { ReattachThread } from './reattach-thread.js';
import { ReopenThread } from './reopen-thread.js';
import { ReplyToComment } from './reply-to-comment.js';
import { ResolveThread } from './resolve-thread.js';
import { RestoreThread } from './restore-thread.js';
import { SetSectionApproval } from './set-section-approval.js';

describe('the review of a person', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ pool: 10 });
    rig = await DocumentsRig.start(postgres.database);
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });
  beforeEach(() => rig.forget());

  const mark = (...commentIds: string[]) =>
    rig.get(MarkCommentsAddressed).execute(rig.agent, { projectId: rig.projectId, commentIds });
  const reply = (actor: typeof rig.owner | typeof rig.agent, commentId: string, body: string) =>
    rig.get(ReplyToComment).execute(actor, { projectId: rig.projectId, commentId, body });
  const on = (documentId: string, commentId: string) => ({ projectId: rig.projectId, documentId, commentId });
  const row = async (documentId: string) => {
    const list = await rig.get(ListDocumentsPage).execute(rig.owner, { projectId: rig.projectId });
    return list.documents.find((document) => document.id === documentId)!;
  };

  test('documents 15.19: a comment reaches the agent with its quote and no name or address', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'paragraph of the', { body: 'Which one, *exactly*?' });
    const review = await rig.review(documentId);
    expect(review.comments).toEqual([
      {
        id,
        quote: 'paragraph of the',
        body: 'Which one, *exactly*?',
        replacement: null,
        author: 'human',
        status: 'pending',
        orphaned: false,
        createdAt: rig.clock.now().toISOString(),
        thread: [],
      },
    ]);
    expect(JSON.stringify(review)).not.toMatch(/Ada|Owner|@/);
    expect(JSON.stringify(review)).not.toContain(rig.owner.personId);
    const [thread] = (await rig.page(documentId)).threads;
    expect(thread).toMatchObject({
      author: { kind: 'person', personId: rig.owner.personId, name: 'Ada Owner' },
      mayEdit: true,
      bodyHtml: expect.stringContaining('<em>exactly</em>'),
    });
    expect(rig.outbox.events.at(-1)).toMatchObject({ type: 'CommentAdded', payload: { threadId: id } });
    expect(rig.audit.entries.at(-1)).toMatchObject({ operation: 'comment.added', subjectId: id });
  });

  test('a quote that cuts a word is read whole, but the exact span of a suggestion is kept', async () => {
    const { documentId } = await rig.create();
    await rig.comment(documentId, 'irst paragra');
    await rig.comment(documentId, 'econd paragra', { replacement: 'hird paragra' });
    expect((await rig.review(documentId)).comments.map((c) => c.quote)).toEqual([
      'First paragraph',
      'econd paragra',
    ]);
  });

  test('documents 15.20: a suggested wording and a strike reach the agent with their exact quote', async () => {
    const { documentId } = await rig.create();
    await rig.comment(documentId, 'First paragraph', { replacement: 'Opening words', body: '' });
    await rig.comment(documentId, 'Second paragraph', { replacement: '', body: '' });
    expect((await rig.review(documentId)).comments).toMatchObject([
      { quote: 'First paragraph', replacement: 'Opening words', body: '' },
      { quote: 'Second paragraph', replacement: '' },
    ]);
  });

  test('documents 15.21 and 15.23: an addressed thread waits for the person, who alone resolves it', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    expect(await row(documentId)).toMatchObject({ waitingThreads: 0, openThreads: 1 });
    expect(await mark(id)).toEqual({ addressed: [id], skipped: [] });
    expect(await row(documentId)).toMatchObject({ waitingThreads: 1, openThreads: 1 });
    expect(await mark(id)).toEqual({ addressed: [], skipped: [{ id, reason: 'already_addressed' }] });
    await rig.get(ResolveThread).execute(rig.owner, on(documentId, id));
    expect(await row(documentId)).toMatchObject({ waitingThreads: 0, openThreads: 0 });
    expect(await mark(id)).toEqual({ addressed: [], skipped: [{ id, reason: 'already_resolved' }] });
    expect(await refusalOf(rig.get(ResolveThread).execute(rig.agent, on(documentId, id)))).toBe(
      'Only a person may do this, on the review page.',
    );
    rig.forget();
    await rig.get(ReopenThread).execute(rig.owner, on(documentId, id));
    await rig.get(ReopenThread).execute(rig.owner, on(documentId, id));
    expect(rig.outbox.events).toMatchObject([
      { type: 'ThreadStatusChanged', payload: { status: 'pending' } },
    ]);
    expect(rig.audit.entries).toMatchObject([
      { operation: 'comment.reopened', subjectType: 'comment', subjectId: id, context: { documentId } },
    ]);
  });

  test('documents 15.22: the reply of a person hands an addressed thread back, one of the agent changes nothing', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    await mark(id);
    await reply(rig.agent, id, 'Rewritten.');
    expect((await rig.review(documentId)).comments[0]!.status).toBe('addressed');
    await reply(rig.owner, id, 'Not quite.');
    expect((await rig.review(documentId)).comments[0]).toMatchObject({
      status: 'pending',
      thread: [
        { author: 'agent', body: 'Rewritten.' },
        { author: 'human', body: 'Not quite.' },
      ],
    });
    await rig.get(ResolveThread).execute(rig.owner, on(documentId, id));
    await reply(rig.owner, id, 'Thank you.');
    expect((await rig.review(documentId)).comments[0]!.status).toBe('resolved');
  });

  test('documents 15.24: a reply that is too long, blank, or to a reply is refused', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    const answer = await reply(rig.agent, id, 'x'.repeat(65_536));
    expect(await refusalOf(reply(rig.agent, id, 'x'.repeat(65_537)))).toBe(
      'body: A reply must be at most 65536 bytes.',
    );
    expect(await refusalOf(reply(rig.agent, id, ' \n '))).toBe('body: A reply must not be blank.');
    expect(await refusalOf(reply(rig.agent, answer.id, 'More.'))).toBe(
      'commentId: Reply to the first comment of the thread.',
    );
    expect(await refusalOf(reply(rig.agent, rig.ids.next(), 'More.'))).toBe(
      'commentId: Comment not found or not accessible.',
    );
    expect(await refusalOf(reply(rig.agent, 'seven', ''))).toBe(
      'commentId: "seven" is not a valid id.\nbody: A reply must not be blank.',
    );
    const foreign = rig.connection(rig.stranger.personId, rig.otherProjectId);
    expect(
      await refusalOf(
        rig
          .get(ReplyToComment)
          .execute(foreign, { projectId: rig.otherProjectId, commentId: id, body: 'Hi' }),
      ),
    ).toBe('commentId: Comment not found or not accessible.');
  });

  test('a thread takes 200 replies', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    await rig.database.query(
      `INSERT INTO documents.comment (id, document_version_id, parent_id, author_kind, body, body_html, created_at, updated_at)
       SELECT gen_random_uuid(), document_version_id, id, 'agent', 'x', 'x', now(), now()
       FROM documents.comment, generate_series(1, 200) WHERE id = $1`,
      [id],
    );
    expect(await refusalOf(reply(rig.agent, id, 'One more.'))).toBe(
      'commentId: This thread has 200 replies. Answer in the document.',
    );
    await rig.revise(documentId, { markdown: 'First paragraph of the plan, and more.' });
    expect((await rig.page(documentId)).threads[0]!.replies).toHaveLength(200);
  });

  test('marking keeps the order of the input, and one bad id never fails the call', async () => {
    const { documentId } = await rig.create();
    const first = await rig.comment(documentId, 'First paragraph');
    const second = await rig.comment(documentId, 'Second paragraph');
    const answer = await reply(rig.agent, first, 'Looking.');
    const deleted = await rig.comment(documentId, null);
    await rig.get(DeleteThread).execute(rig.owner, on(documentId, deleted));
    const unknown = rig.ids.next();
    expect(await mark(second, 'nonsense', unknown, answer.id, deleted, first, first)).toEqual({
      addressed: [second, first],
      skipped: [
        { id: 'nonsense', reason: 'invalid_id' },
        { id: unknown, reason: 'not_found' },
        { id: answer.id, reason: 'is_reply' },
        { id: deleted, reason: 'not_found' },
        { id: first, reason: 'already_addressed' },
      ],
    });
    expect(await refusalOf(mark())).toBe('commentIds: Name 1 to 200 comments.');
    expect(await refusalOf(mark(...Array.from({ length: 201 }, () => first)))).toBe(
      'commentIds: Name 1 to 200 comments.',
    );
  });

  test('documents 15.25: a deleted thread is gone for the agent, comes back, and can go for good', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    await rig.get(DeleteThread).execute(rig.owner, on(documentId, id));
    expect(await rig.review(documentId)).toMatchObject({ comments: [], counts: { pending: 0 } });
    expect(await refusalOf(reply(rig.agent, id, 'Hello?'))).toBe('commentId: This thread is deleted.');
    expect(await row(documentId)).toMatchObject({ openThreads: 0 });
    const deleted = () =>
      rig.get(ListDeletedThreads).execute(rig.owner, { projectId: rig.projectId, documentId });
    expect((await deleted()).threads.map((thread) => thread.id)).toEqual([id]);
    await rig.get(RestoreThread).execute(rig.owner, on(documentId, id));
    expect((await rig.review(documentId)).comments.map((c) => c.id)).toEqual([id]);
    expect(await refusalOf(rig.get(PurgeThread).execute(rig.owner, on(documentId, id)))).toBe(
      'Delete the thread first.',
    );
    await rig.get(DeleteThread).execute(rig.owner, on(documentId, id));
    await rig.get(PurgeThread).execute(rig.owner, on(documentId, id));
    expect((await deleted()).threads).toEqual([]);
    expect(await refusalOf(rig.get(GetThread).execute(rig.owner, on(documentId, id)))).toBe(
      'Comment not found or not accessible.',
    );
  });

  test('a thread that was deleted before a revision comes back on the new version', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph of the plan');
    await rig.get(DeleteThread).execute(rig.owner, on(documentId, id));
    await rig.revise(documentId, { markdown: 'Something new.\n\nFirst paragraph of the plan.' });
    const restored = await rig.get(RestoreThread).execute(rig.owner, on(documentId, id));
    expect(restored.id).not.toBe(id);
    expect((await rig.review(documentId)).comments).toMatchObject([{ id: restored.id, orphaned: false }]);
  });

  test('documents 15.31: a section approval survives a revision that leaves the section alone', async () => {
    const { documentId } = await rig.create({ markdown: '## One\n\nalpha\n\n## Two\n\nbeta\n' });
    const approve = (actor: typeof rig.owner, headingId: string, version: number, approved = true) =>
      rig
        .get(SetSectionApproval)
        .execute(actor, { projectId: rig.projectId, documentId, headingId, version, approved });
    await approve(rig.owner, 'heading-one', 1);
    await approve(rig.member, 'heading-one', 1);
    expect(await approve(rig.owner, 'heading-two', 1)).toEqual({
      headingId: 'heading-two',
      title: 'Two',
      level: 2,
      approvals: 1,
      approvedByYou: true,
    });
    expect((await rig.review(documentId)).sections).toEqual([
      { headingId: 'heading-one', title: 'One', approvals: 2 },
      { headingId: 'heading-two', title: 'Two', approvals: 1 },
    ]);
    const revised = await rig.revise(documentId, {
      markdown: '## One\n\nalpha\n\n## Two\n\nbeta, changed\n',
    });
    expect(revised).toMatchObject({ sectionsCarried: 1, sectionsDropped: 1 });
    expect((await rig.review(documentId)).sections.map((s) => s.approvals)).toEqual([2, 0]);
    expect(await refusalOf(approve(rig.owner, 'heading-two', 1))).toContain(
      'Version 2 has arrived meanwhile.',
    );
    expect(await refusalOf(approve(rig.owner, 'heading-three', 2))).toContain('no such section');
    await rig.revise(documentId, { markdown: '## One\n\nalpha\n\n## Two\n\nbeta\n' });
    expect((await rig.review(documentId)).sections.map((s) => s.approvals)).toEqual([2, 0]);
    rig.forget();
    expect(await approve(rig.owner, 'heading-one', 3, false)).toMatchObject({
      approvals: 1,
      approvedByYou: false,
    });
    await approve(rig.owner, 'heading-one', 3, false);
    expect(rig.audit.entries.map((entry) => entry.operation)).toEqual(['section.approval_withdrawn']);
  });

  test('a comment on an older version stands on the current one when its words are there, else it is refused', async () => {
    const { documentId } = await rig.create();
    await rig.revise(documentId, { markdown: 'Quite another start.\n\nSecond paragraph of the plan.' });
    const id = await rig.comment(documentId, 'Second paragraph of the plan', { version: 1 });
    const page = await rig.page(documentId);
    expect(page.threads.map((t) => t.id)).toEqual([id]);
    expect(page.version.plainText.slice(page.threads[0]!.anchor!.start)).toMatch(/^Second paragraph/);
    expect(await refusalOf(rig.comment(documentId, 'First paragraph of the plan', { version: 1 }))).toContain(
      'Version 2 has arrived meanwhile.',
    );
    const add = (version: number) =>
      rig.get(AddComment).execute(rig.owner, { projectId: rig.projectId, documentId, version, body: 'x' });
    expect(await refusalOf(add(9))).toContain('Version 2 has arrived meanwhile.');
    expect((await add(1)).version).toBe(2);
  });

  test('a comment needs words of its version, some text, and a passage when it suggests a wording', async () => {
    const { documentId } = await rig.create();
    const add = (input: object) =>
      rig
        .get(AddComment)
        .execute(rig.owner, { projectId: rig.projectId, documentId, version: 1, body: 'x', ...input });
    expect(await refusalOf(add({ anchor: { quote: 'Not in there', start: 0 } }))).toBe(
      'anchor: The selected text is not in this version.',
    );
    expect(await refusalOf(add({ anchor: { quote: ' ', start: 0 } }))).toBe(
      'anchor: Select some text first.',
    );
    expect(await refusalOf(add({ body: ' ', replacement: 'y' }))).toBe(
      'replacement: A suggested wording needs a selected passage.',
    );
    expect(await refusalOf(add({ body: '' }))).toBe('body: A comment must not be blank.');
    expect(await refusalOf(add({ version: 0 }))).toMatch(/^version: /);
    const byAgent = rig
      .get(AddComment)
      .execute(rig.agent, { projectId: rig.projectId, documentId, version: 1, body: 'x' });
    expect(await refusalOf(byAgent)).toBe('Only a person may do this, on the review page.');
  });

  test('a comment is changed by its author alone, for 15 minutes and before any reply', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    const edit = (actor: typeof rig.owner, body: string) =>
      rig.get(EditComment).execute(actor, { ...on(documentId, id), body });
    await edit(rig.owner, 'Said **better**.');
    expect((await rig.page(documentId)).threads[0]).toMatchObject({
      body: 'Said **better**.',
      bodyHtml: expect.stringContaining('<strong>better</strong>'),
    });
    expect(await refusalOf(edit(rig.member, 'Mine.'))).toContain('within 15 minutes');
    rig.clock.advance(15 * 60_000 + 1);
    expect(await refusalOf(edit(rig.owner, 'Late.'))).toContain('within 15 minutes');
    expect((await rig.page(documentId)).threads[0]!.mayEdit).toBe(false);
    const second = await rig.comment(documentId, 'Second paragraph');
    await reply(rig.agent, second, 'Yes.');
    expect(
      await refusalOf(rig.get(EditComment).execute(rig.owner, { ...on(documentId, second), body: 'No.' })),
    ).toContain('before any reply');
  });

  test('a thread that lost its passage is put on another one', async () => {
    const { documentId } = await rig.create();
    await rig.comment(documentId, 'First paragraph of the plan');
    await rig.revise(documentId, { markdown: 'Opening words, newly written.' });
    const [orphan] = (await rig.page(documentId)).threads;
    expect(orphan!.orphaned).toBe(true);
    await rig.get(ReattachThread).execute(rig.owner, {
      ...on(documentId, orphan!.id),
      version: 2,
      anchor: { quote: 'Opening words', start: 0 },
    });
    expect((await rig.review(documentId)).comments).toMatchObject([
      { quote: 'Opening words', orphaned: false },
    ]);
  });

  test('a version takes 1,000 open threads', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    await rig.database.query(
      `INSERT INTO documents.comment (id, document_version_id, author_kind, body, body_html, status, created_at, updated_at)
       SELECT gen_random_uuid(), document_version_id, 'person', 'x', 'x', 'pending', now(), now()
       FROM documents.comment, generate_series(1, 999) WHERE id = $1`,
      [id],
    );
    expect(await refusalOf(rig.comment(documentId, null))).toMatch(/^This version has 1000 open threads/);
    expect(await rig.revise(documentId, { markdown: 'First paragraph, again.' })).toMatchObject({
      carried: 1000,
    });
  });

  test('an archived document takes replies and status changes, but no new thread', async () => {
    const { documentId } = await rig.create();
    const id = await rig.comment(documentId, 'First paragraph');
    await rig.get(ArchiveDocument).execute(rig.owner, { projectId: rig.projectId, documentId });
    expect(await refusalOf(rig.comment(documentId, null))).toBe(
      'documentId: The document is archived. Unarchive it first.',
    );
    await reply(rig.agent, id, 'Still here.');
    expect(await mark(id)).toMatchObject({ addressed: [id] });
  });

  test('the newest version that a person opened is remembered and never goes back', async () => {
    const { documentId } = await rig.create();
    await rig.revise(documentId, { markdown: 'Second.' });
    const read = (version: number) =>
      rig.get(MarkDocumentRead).execute(rig.owner, { projectId: rig.projectId, documentId, version });
    expect((await rig.page(documentId)).lastSeenVersion).toBeNull();
    await read(2);
    await read(1);
    expect((await rig.page(documentId)).lastSeenVersion).toBe(2);
    expect(await refusalOf(read(3))).toBe('Version not found or not accessible.');
  });
});
