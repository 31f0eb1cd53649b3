import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { GetDocument } from '../queries/get-document.js';
import { AddComment } from './add-comment.js';
import { ArchiveDocument } from './archive-document.js';
import { MarkCommentsAddressed } from './mark-comments-addressed.js';
import { ReplyToComment } from './reply-to-comment.js';
import { ResolveThread } from './resolve-thread.js';
import { SubmitVerdict } from './submit-verdict.js';

describe('revising a document', () => {
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
  const reply = (commentId: string, body = 'Done.') =>
    rig.get(ReplyToComment).execute(rig.agent, { projectId: rig.projectId, commentId, body });

  test('documents 15.9: a revision says what changed; version 1 reads unchanged at its address', async () => {
    const { documentId } = await rig.create({ markdown: 'The old text.' });
    expect(await refusalOf(rig.revise(documentId, { markdown: 'The new text.', description: '  ' }))).toBe(
      'description: Say what changed in this version.',
    );
    rig.forget();
    expect(await rig.revise(documentId, { markdown: 'The new text.', description: '0' })).toEqual({
      documentId,
      reviewUrl: expect.stringContaining(documentId),
      version: 2,
      status: 'in-review',
      carried: 0,
      orphaned: 0,
      sectionsCarried: 0,
      sectionsDropped: 0,
      threads: { stayed: 0, moved: 0, lost: 0 },
      warnings: [],
    });
    expect(rig.outbox.events.map((event) => event.type)).toEqual([
      'DocumentRevised',
      'DocumentReviewRequested',
    ]);
    expect(rig.live.sent.map((update) => update.type)).toEqual(['version', 'list']);
    expect((await rig.page(documentId, 1)).version).toMatchObject({
      plainText: 'The old text.\n',
      isCurrent: false,
    });
    expect((await rig.page(documentId)).version).toMatchObject({
      number: 2,
      description: '0',
      isCurrent: true,
    });
    expect(await refusalOf(rig.page(documentId, 99))).toBe('Version not found or not accessible.');
  });

  test('documents 15.10: a draft stays a draft, an approved document goes back to review without its verdict', async () => {
    const draft = await rig.create({ draft: true });
    rig.forget();
    expect((await rig.revise(draft.documentId, { markdown: 'More.' })).status).toBe('draft');
    expect(rig.outbox.events.map((event) => event.type)).toEqual(['DocumentRevised']);

    const { documentId } = await rig.create();
    await rig
      .get(SubmitVerdict)
      .execute(rig.owner, { projectId: rig.projectId, documentId, version: 1, verdict: 'approved' });
    expect(await rig.review(documentId)).toMatchObject({ status: 'approved', verdict: 'approved' });
    await rig.revise(documentId, { markdown: 'Another text.' });
    expect(await rig.review(documentId)).toMatchObject({
      status: 'in-review',
      verdict: null,
      note: null,
      version: 2,
    });
    expect((await rig.page(documentId, 1)).verdict).toMatchObject({ verdict: 'approved', yours: true });
  });

  test('documents 15.11: threads come along with new ids and their status, or say that their passage is gone', async () => {
    const { documentId } = await rig.create({
      markdown:
        'Exports move to a queue that survives restarts.\n\nImports stay as they are for the time being.',
    });
    const kept = await rig.comment(documentId, 'Exports move to a queue');
    const gone = await rig.comment(documentId, 'Imports stay as they are for the time being');
    const whole = await rig.comment(documentId, null);
    await reply(kept, 'I looked at it.');
    await mark(kept);
    const revised = await rig.revise(documentId, {
      markdown: 'A new beginning stands here now.\n\nExports move to a queue that survives restarts.',
    });
    expect(revised).toMatchObject({ carried: 2, orphaned: 1 });
    const { comments, counts } = await rig.review(documentId);
    expect(comments.map((c) => [c.quote, c.status, c.orphaned])).toEqual([
      [null, 'pending', false],
      ['Exports move to a queue', 'addressed', false],
      ['Imports stay as they are for the time being', 'pending', true],
    ]);
    expect(counts).toEqual({ pending: 2, addressed: 1, resolved: 0, orphaned: 1 });
    const ids = comments.map((c) => c.id);
    for (const old of [kept, gone, whole]) expect(ids).not.toContain(old);
    expect(comments[1]!.thread).toMatchObject([{ body: 'I looked at it.', author: 'agent' }]);
    const page = await rig.page(documentId);
    const { start, end } = page.threads[1]!.anchor!;
    expect(page.version.plainText.slice(start, end)).toBe('Exports move to a queue');
    expect(page.version).toMatchObject({ carried: 2, orphaned: 1 });
    expect((await rig.page(documentId, 1)).threads.map((t) => t.id).sort()).toEqual(
      [kept, gone, whole].sort(),
    );
  });

  test('a revision says of all threads, resolved ones too, how many stayed, moved and lost their words', async () => {
    const { documentId } = await rig.create({
      markdown: [
        'The queue keeps at most ten thousand jobs in order.',
        'A worker takes four jobs from it at a time.',
        'A job that fails is tried again after five minutes.',
        'Nobody is told when a partner is slow for long.',
      ].join('\n\n'),
    });
    const quotes = [
      'ten thousand jobs',
      'takes four jobs',
      'tried again after five minutes',
      'a partner is slow',
    ];
    const ids = [];
    for (const quote of quotes) ids.push(await rig.comment(documentId, quote));
    await rig.comment(documentId, null);
    for (const commentId of [ids[1]!, ids[3]!])
      await rig.get(ResolveThread).execute(rig.owner, { projectId: rig.projectId, documentId, commentId });
    const markdown = [
      'The queue keeps at most ten thousand jobs in order.',
      'A worker takes four jobs from it at a time.',
      'A job that fails is tried again after twenty minutes.',
    ].join('\n\n');
    const revised = await rig.revise(documentId, { markdown });
    expect(revised).toMatchObject({ carried: 3, orphaned: 0, threads: { stayed: 3, moved: 1, lost: 1 } });
    expect(await rig.revise(documentId, { markdown })).toEqual(revised);
  });

  test('documents 15.12: when the words come back the thread is no orphan any more', async () => {
    const first = 'The cache holds ten thousand entries at most.\n\nIt is emptied every night at three.';
    const { documentId } = await rig.create({ markdown: first });
    await rig.comment(documentId, 'The cache holds ten thousand entries at most.');
    const orphaned = await rig.revise(documentId, { markdown: 'Nothing of it remains in this version.' });
    expect(orphaned).toMatchObject({ carried: 0, orphaned: 1 });
    const healed = await rig.revise(documentId, { markdown: first, description: 'Back again.' });
    expect(healed).toMatchObject({ carried: 1, orphaned: 0 });
    expect((await rig.review(documentId)).comments).toMatchObject([
      { orphaned: false, quote: 'The cache holds ten thousand entries at most.' },
    ]);
  });

  test('documents 15.13: a quote that occurs twice stays with its surroundings when paragraphs are swapped', async () => {
    const red = 'The red service keeps its limit at ten calls in a second.';
    const blue = 'The blue service keeps its limit at ten calls in a minute.';
    const { documentId } = await rig.create({ markdown: `${red}\n\n${blue}` });
    const text = (await rig.page(documentId)).version.plainText;
    const quote = 'keeps its limit at ten calls';
    await rig.comment(documentId, null, { anchor: { quote, start: text.lastIndexOf(quote) } });
    await rig.revise(documentId, { markdown: `${blue}\n\n${red}` });
    const page = await rig.page(documentId);
    const { start } = page.threads[0]!.anchor!;
    expect(page.threads[0]!.orphaned).toBe(false);
    expect(page.version.plainText.slice(start - 17, start)).toBe('The blue service ');
  });

  test('documents 15.14: an old id is refused in a reply, and skipped as superseded in a mark', async () => {
    const { documentId } = await rig.create();
    const old = await rig.comment(documentId, 'First paragraph');
    await rig.revise(documentId, { markdown: 'First paragraph of the plan.\n\nA third one.' });
    const current = (await rig.review(documentId)).comments[0]!.id;
    expect(await refusalOf(reply(old))).toBe(
      `commentId: Comment ${old} belongs to version 1, and the document is at version 2. Call document_get_review for current ids. This thread is now ${current}.`,
    );
    expect(await mark(old)).toEqual({
      addressed: [],
      skipped: [{ id: old, reason: 'superseded', current }],
    });
  });

  test('an old id is told what its thread is called now, over several versions and for a reply', async () => {
    const { documentId } = await rig.create();
    const kept = await rig.comment(documentId, 'First paragraph');
    const settled = await rig.comment(documentId, 'Second paragraph');
    const { id: answer } = await reply(kept);
    await rig
      .get(ResolveThread)
      .execute(rig.owner, { projectId: rig.projectId, documentId, commentId: settled });
    for (const word of ['third', 'fourth'])
      await rig.revise(documentId, { markdown: `First paragraph of the plan.\n\nA ${word} one.` });
    const current = (await rig.review(documentId)).comments[0]!.id;
    expect((await mark(kept, settled, answer, kept.toUpperCase())).skipped).toEqual([
      { id: kept, reason: 'superseded', current },
      { id: settled, reason: 'superseded' },
      { id: answer, reason: 'superseded', current },
      { id: kept.toUpperCase(), reason: 'superseded', current },
    ]);
    expect(await refusalOf(reply(answer))).toContain(`This thread is now ${current}.`);
    expect(await refusalOf(reply(settled))).toMatch(/for current ids\.$/);
    expect(await mark(current)).toEqual({ addressed: [current], skipped: [] });
  });

  test('documents 15.15: resolved threads stay with the old version', async () => {
    const { documentId } = await rig.create();
    const commentId = await rig.comment(documentId, 'First paragraph');
    await rig.get(ResolveThread).execute(rig.owner, { projectId: rig.projectId, documentId, commentId });
    expect(await rig.revise(documentId, { markdown: 'First paragraph of another plan.' })).toMatchObject({
      carried: 0,
      orphaned: 0,
    });
    expect((await rig.review(documentId)).comments).toEqual([]);
    expect((await rig.page(documentId, 1)).threads).toMatchObject([{ id: commentId, status: 'resolved' }]);
  });

  test('documents 15.16: parallel revisions give versions without a gap and lose no thread', async () => {
    const { documentId } = await rig.create();
    await rig.comment(documentId, 'First paragraph of the plan');
    await rig.comment(documentId, null);
    const texts = Array.from({ length: 6 }, (_, n) => `First paragraph of the plan.\n\nVariant ${n}.`);
    const revised = await Promise.all(texts.map((markdown) => rig.revise(documentId, { markdown })));
    expect(revised.map((r) => r.version).sort()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(revised.every((r) => r.carried === 2 && r.orphaned === 0)).toBe(true);
    expect((await rig.review(documentId)).comments).toHaveLength(2);
  });

  test('documents 15.17: the same revision twice makes one version; an old baseVersion is refused', async () => {
    const { documentId } = await rig.create();
    await rig.comment(documentId, 'First paragraph');
    const input = { markdown: 'First paragraph, said anew.', title: 'A better title', baseVersion: 1 };
    const first = await rig.revise(documentId, input);
    rig.forget();
    expect(await rig.revise(documentId, input)).toEqual(first);
    expect(rig.outbox.events).toEqual([]);
    expect(rig.audit.entries).toEqual([]);
    expect(await refusalOf(rig.revise(documentId, { markdown: 'Yet another.', baseVersion: 1 }))).toBe(
      'baseVersion: The document is at version 2. Read it again before you revise.',
    );
    const same = await Promise.all([1, 2, 3].map(() => rig.revise(documentId, { markdown: 'Sent thrice.' })));
    expect(same.map((r) => r.version)).toEqual([3, 3, 3]);
  });

  test('a revision with a title of its own renames the document, and the title is part of what makes a retry', async () => {
    const { documentId } = await rig.create({ title: 'Old title' });
    await rig.revise(documentId, { markdown: 'Text.', title: 'Middle title' });
    rig.forget();
    const again = await rig.revise(documentId, { markdown: 'Text.', title: 'New title' });
    expect(again.version).toBe(3);
    expect(rig.outbox.events.map((e) => e.type)).toEqual([
      'DocumentRevised',
      'DocumentRenamed',
      'DocumentReviewRequested',
    ]);
    const read = await rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    expect(read).toMatchObject({ title: 'New title', version: 3 });
  });

  test('references and series given with a revision are kept, even when the text is a retry', async () => {
    const other = await rig.create();
    const { documentId } = await rig.create();
    const input = { markdown: 'Text.', references: [other.documentId], series: 'Revised', seriesOrdinal: 4 };
    await rig.revise(documentId, input);
    const read = () => rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
    expect(await read()).toMatchObject({
      version: 2,
      references: [{ documentId: other.documentId }],
      series: 'Revised',
      seriesOrdinal: 4,
    });
    await rig.revise(documentId, { ...input, references: [], seriesOrdinal: 5 });
    expect(await read()).toMatchObject({ version: 2, references: [], seriesOrdinal: 5 });
    expect(
      await refusalOf(rig.revise(documentId, { markdown: 'More.', references: [rig.ids.next()] })),
    ).toMatch(/^references: Not found/);
    expect((await read()).version).toBe(2);
  });

  test('an archived document takes no revision, and says what to do', async () => {
    const { documentId } = await rig.create();
    await rig
      .get(ArchiveDocument)
      .execute(rig.agent, { projectId: rig.projectId, documentId, reason: 'Done.' });
    expect(await refusalOf(rig.revise(documentId, { markdown: 'More.' }))).toBe(
      'documentId: The document is archived. Call document_unarchive first.',
    );
  });

  test('a text that the renderer refuses changes nothing', async () => {
    const { documentId } = await rig.create();
    expect(await refusalOf(rig.revise(documentId, { markdown: `${'> '.repeat(400)}deep` }))).toMatch(
      /^markdown: /,
    );
    expect((await rig.review(documentId)).version).toBe(1);
  });

  describe('while others write', () => {
    const PLAN = 'First paragraph of the plan';
    const LATER = `In front of it all.\n\n${PLAN}.`;

    /** Lets two writers of one document wait for it in this order, then run. */
    async function inOrder<A, B>(documentId: string, first: () => Promise<A>, second: () => Promise<B>) {
      const waiting = async (count: number) => {
        for (;;) {
          const row = await postgres.database.one<{ n: number }>(
            `SELECT count(*)::int AS n FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          if (row?.n === count) return;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      };
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let locked: () => void = () => undefined;
      const ready = new Promise<void>((resolve) => {
        locked = resolve;
      });
      const holder = postgres.database.run(async () => {
        await postgres.database.query('SELECT 1 FROM documents.document WHERE id = $1 FOR UPDATE', [
          documentId,
        ]);
        locked();
        await held;
      });
      await ready;
      const one = Promise.allSettled([first()]);
      await waiting(1);
      const other = Promise.allSettled([second()]);
      await waiting(2);
      release();
      await holder;
      return { first: (await one)[0], second: (await other)[0] };
    }

    const revise = (documentId: string) => () => rig.revise(documentId, { markdown: LATER });

    test('a reply before a revision is copied with its thread, one after it is refused', async () => {
      for (const replyFirst of [true, false]) {
        const { documentId } = await rig.create();
        const thread = await rig.comment(documentId, PLAN);
        const answer = () => reply(thread, 'Done so.');
        const outcome = replyFirst
          ? await inOrder(documentId, answer, revise(documentId))
          : await inOrder(documentId, revise(documentId), answer);
        const [comment] = (await rig.review(documentId)).comments;
        expect(outcome.first.status).toBe('fulfilled');
        if (replyFirst) expect(comment!.thread.map((r) => r.body)).toEqual(['Done so.']);
        else {
          expect(outcome.second).toMatchObject({
            reason: { message: expect.stringContaining('Call document_get_review for current ids.') },
          });
          expect(comment!.thread).toEqual([]);
        }
      }
    });

    test('a mark before a revision is copied, one after it is skipped as superseded', async () => {
      for (const markFirst of [true, false]) {
        const { documentId } = await rig.create();
        const thread = await rig.comment(documentId, PLAN);
        const outcome = markFirst
          ? await inOrder(documentId, () => mark(thread), revise(documentId))
          : await inOrder(documentId, revise(documentId), () => mark(thread));
        const [comment] = (await rig.review(documentId)).comments;
        expect(comment!.status).toBe(markFirst ? 'addressed' : 'pending');
        if (!markFirst)
          expect(outcome.second).toMatchObject({
            value: { addressed: [], skipped: [{ id: thread, reason: 'superseded' }] },
          });
      }
    });

    test('a comment before or after a revision stands on the new version', async () => {
      for (const commentFirst of [true, false]) {
        const { documentId } = await rig.create();
        const add = () =>
          rig.get(AddComment).execute(rig.owner, {
            projectId: rig.projectId,
            documentId,
            version: 1,
            anchor: { quote: PLAN, start: 0 },
            body: 'Which plan?',
          });
        await (commentFirst
          ? inOrder(documentId, add, revise(documentId))
          : inOrder(documentId, revise(documentId), add));
        const page = await rig.page(documentId);
        expect(page.threads).toHaveLength(1);
        const { start, end } = page.threads[0]!.anchor!;
        expect(page.version.plainText.slice(start, end)).toBe(PLAN);
        expect(start).toBeGreaterThan(0);
      }
    });

    test('a verdict before a revision stays with its version, one after it is refused', async () => {
      for (const verdictFirst of [true, false]) {
        const { documentId } = await rig.create();
        const judge = () =>
          rig
            .get(SubmitVerdict)
            .execute(rig.owner, { projectId: rig.projectId, documentId, version: 1, verdict: 'approved' });
        const outcome = verdictFirst
          ? await inOrder(documentId, judge, revise(documentId))
          : await inOrder(documentId, revise(documentId), judge);
        expect(await rig.review(documentId)).toMatchObject({
          status: 'in-review',
          verdict: null,
          version: 2,
        });
        expect((await rig.page(documentId, 1)).verdict === null).toBe(!verdictFirst);
        if (!verdictFirst) expect(outcome.second).toMatchObject({ reason: { code: 'stale_version' } });
      }
    });
  });
});
