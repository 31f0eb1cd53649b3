import fc from 'fast-check';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { DeleteThread } from './delete-thread.js';
import { MarkCommentsAddressed } from './mark-comments-addressed.js';
import { ReopenThread } from './reopen-thread.js';
import { ReplyToComment } from './reply-to-comment.js';
import { ResolveThread } from './resolve-thread.js';

/** What the next thread of the model is put through; `which` picks one of those that are there. */
type Step = { readonly kind: Kind; readonly which: number };
const KINDS = [
  'comment',
  'comment',
  'reply',
  'answer',
  'mark',
  'resolve',
  'reopen',
  'delete',
  'revise',
  'revise',
] as const;
type Kind = (typeof KINDS)[number];

/** A thread as it should be, by the body that nothing else has. */
interface Expected {
  readonly body: string;
  readonly sentence: number | null;
  status: 'pending' | 'addressed' | 'resolved';
  readonly replies: string[];
}

const SENTENCES = 6;

describe('whatever is done to a review in whatever order', () => {
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

  const sentence = (n: number) =>
    `Sentence ${'abcdefgh'[n]} speaks of subject number ${n * 111 + 100} alone.`;
  /** Every revision puts the same sentences in another order, so that no passage is ever gone. */
  const text = (version: number) =>
    Array.from({ length: SENTENCES }, (_, n) => sentence((n + version) % SENTENCES)).join('\n\n');

  async function play(steps: readonly Step[]): Promise<void> {
    const { documentId } = await rig.create({ markdown: text(0) });
    const { projectId } = rig;
    let expected: Expected[] = [];
    let version = 1;
    let made = 0;
    for (const { kind, which } of steps) {
      const { comments } = await rig.review(documentId, { limit: 200 });
      const thread = expected[which % Math.max(expected.length, 1)];
      const commentId = comments.find((comment) => comment.body === thread?.body)?.id;
      made += 1;
      if (kind === 'comment') {
        const on = which % (SENTENCES + 1);
        const body = `comment ${made}`;
        await rig.comment(documentId, on === SENTENCES ? null : sentence(on), { body });
        expected.push({ body, sentence: on === SENTENCES ? null : on, status: 'pending', replies: [] });
      } else if (kind === 'revise') {
        await rig.revise(documentId, { markdown: text(version), description: `Revision ${version}.` });
        version += 1;
        expected = expected.filter((one) => one.status !== 'resolved');
      } else if (thread && commentId) {
        const on = { projectId, documentId, commentId };
        const body = `${kind} ${made}`;
        if (kind === 'reply' || kind === 'answer') {
          await rig.get(ReplyToComment).execute(kind === 'reply' ? rig.owner : rig.agent, { ...on, body });
          thread.replies.push(body);
          if (kind === 'reply' && thread.status === 'addressed') thread.status = 'pending';
        } else if (kind === 'mark') {
          await rig.get(MarkCommentsAddressed).execute(rig.agent, { projectId, commentIds: [commentId] });
          if (thread.status === 'pending') thread.status = 'addressed';
        } else if (kind === 'resolve') {
          await rig.get(ResolveThread).execute(rig.owner, on);
          thread.status = 'resolved';
        } else if (kind === 'reopen') {
          await rig.get(ReopenThread).execute(rig.owner, on);
          thread.status = 'pending';
        } else {
          await rig.get(DeleteThread).execute(rig.owner, on);
          expected = expected.filter((one) => one !== thread);
        }
      }
    }
    const review = await rig.review(documentId, { limit: 200 });
    const byBody = <T extends { body: string }>(list: readonly T[]) =>
      [...list].sort((a, b) => (a.body < b.body ? -1 : 1));
    expect(review.version).toBe(version);
    expect(
      byBody(
        review.comments.map(({ body, status, quote, orphaned, thread }) => ({
          body,
          status,
          quote,
          orphaned,
          replies: thread.map((reply) => reply.body),
        })),
      ),
    ).toEqual(
      byBody(
        expected.map(({ body, status, sentence: on, replies }) => ({
          body,
          status,
          quote: on === null ? null : sentence(on),
          orphaned: false,
          replies,
        })),
      ),
    );
  }

  test('the threads, their passages, states and replies are those that the rules give', async () => {
    const step = fc.record({ kind: fc.constantFrom(...KINDS), which: fc.nat(30) });
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), play), { numRuns: 25 });
  });
});
