import { setTimeout } from 'node:timers/promises';
import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { PassageRelocator } from '../ports/passage-relocator.js';
import { GetDocument } from '../queries/get-document.js';
import { GetReviewPage } from '../queries/get-review-page.js';
import { AddComment } from './add-comment.js';
import { ReattachThread } from './reattach-thread.js';
import { ReopenThread } from './reopen-thread.js';
import { ReplyToComment } from './reply-to-comment.js';
import { ResolveThread } from './resolve-thread.js';
import { SaveDecisionAnswer } from './save-decision-answer.js';
import { SetDocumentReferences } from './set-document-references.js';
import { SetDocumentSeries } from './set-document-series.js';
import { SubmitVerdict } from './submit-verdict.js';

const TEXT = 'First paragraph of the plan.\n\nSecond paragraph of the plan.';
const DECISION = '<!-- decision: d -->\n\nWhich?\n\n1. A\n2. B\n\n<!-- /decision -->\n';

describe('two at once: nobody’s words are lost', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ pool: 12 });
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rig.stop();
  });

  const on = (documentId: string) => ({ projectId: rig.projectId, documentId });

  test('two people reply at once, and both replies stand', async () => {
    const { documentId } = await rig.create({ markdown: TEXT });
    const commentId = await rig.comment(documentId, 'First paragraph');
    await Promise.all(
      [rig.owner, rig.member, rig.owner, rig.member].map((person, n) =>
        rig.get(ReplyToComment).execute(person, { ...on(documentId), commentId, body: `Reply ${n}.` }),
      ),
    );
    const [thread] = (await rig.review(documentId)).comments;
    expect(thread!.thread.map((reply) => reply.body).sort()).toEqual([
      'Reply 0.',
      'Reply 1.',
      'Reply 2.',
      'Reply 3.',
    ]);
  });

  test('one resolves while the other replies: the reply stands, and the thread is resolved', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { documentId } = await rig.create({ markdown: TEXT });
      const commentId = await rig.comment(documentId, 'First paragraph');
      const resolve = () => rig.get(ResolveThread).execute(rig.owner, { ...on(documentId), commentId });
      const reply = () =>
        rig.get(ReplyToComment).execute(rig.member, { ...on(documentId), commentId, body: 'Wait.' });
      await Promise.all(round % 2 ? [resolve(), reply()] : [reply(), resolve()]);
      expect((await rig.review(documentId)).comments).toMatchObject([
        { status: 'resolved', thread: [{ body: 'Wait.' }] },
      ]);
      await rig.get(ReopenThread).execute(rig.member, { ...on(documentId), commentId });
      expect((await rig.review(documentId)).comments).toMatchObject([{ status: 'pending' }]);
    }
  });

  test('an agent revises while a person writes a comment: it stands on the new version', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { documentId } = await rig.create({ markdown: TEXT });
      const comment = () =>
        rig.get(AddComment).execute(rig.owner, {
          ...on(documentId),
          version: 1,
          anchor: { quote: 'Second paragraph', start: 29 },
          body: 'Written meanwhile.',
        });
      const revise = () => rig.revise(documentId, { markdown: `New at the top.\n\n${TEXT}` });
      await Promise.all(round % 2 ? [comment(), revise()] : [revise(), comment()]);
      const page = await rig.page(documentId);
      expect(page.version.number).toBe(2);
      expect(page.threads).toMatchObject([{ body: 'Written meanwhile.', orphaned: false }]);
      const { start, end } = page.threads[0]!.anchor!;
      expect(page.version.plainText.slice(start, end)).toBe('Second paragraph');
    }
  });

  test('a comment and a new place that come between looking and locking are carried too', async () => {
    const { documentId } = await rig.create({ markdown: TEXT });
    const moved = await rig.comment(documentId, 'First paragraph');
    const relocator = rig.get(PassageRelocator);
    const relocate = relocator.relocate.bind(relocator);
    const spy = jest.spyOn(relocator, 'relocate').mockImplementationOnce(async (...parts) => {
      const foreseen = await relocate(...parts);
      await rig.comment(documentId, 'Second paragraph', { body: 'Late.' });
      await rig.get(ReattachThread).execute(rig.owner, {
        ...on(documentId),
        commentId: moved,
        version: 1,
        anchor: { quote: 'of the plan', start: 16 },
      });
      return foreseen;
    });
    expect(await rig.revise(documentId, { markdown: `${TEXT}\n\nMore.` })).toMatchObject({
      carried: 2,
      orphaned: 0,
    });
    expect(spy.mock.calls.map(([, , anchors]) => anchors.length)).toEqual([1, 2]);
    expect((await rig.review(documentId)).comments.map((comment) => comment.quote)).toEqual([
      'of the plan',
      'Second paragraph',
    ]);
  });

  test('a revision does not look twice when nothing came between', async () => {
    const { documentId } = await rig.create({ markdown: TEXT });
    await rig.comment(documentId, 'First paragraph');
    await rig.comment(documentId, null);
    const spy = jest.spyOn(rig.get(PassageRelocator), 'relocate');
    await rig.revise(documentId, { markdown: `${TEXT}\n\nMore.` });
    expect(spy).toHaveBeenCalledTimes(1);
  });

  test('two verdicts at once: one stands, the other is told of it and loses no note', async () => {
    const { documentId } = await rig.create({ markdown: TEXT });
    const judge = (person: typeof rig.owner, verdict: string) =>
      rig.get(SubmitVerdict).execute(person, {
        ...on(documentId),
        version: 1,
        verdict,
        note: `Note of ${verdict}.`,
        previousVerdictId: null,
      });
    const outcomes = await Promise.allSettled([
      judge(rig.owner, 'approved'),
      judge(rig.member, 'changes-requested'),
    ]);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect([won.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]!.reason).toMatchObject({ code: 'stale_verdict' });
    const { verdict, note } = await rig.review(documentId);
    expect(note).toBe(`Note of ${verdict}.`);
  });

  test('documents 15.27: a verdict races a revision: either it is late, or the revision asks again', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { documentId } = await rig.create({ markdown: TEXT });
      const judge = () =>
        rig.get(SubmitVerdict).execute(rig.owner, { ...on(documentId), version: 1, verdict: 'approved' });
      const revise = () => rig.revise(documentId, { markdown: `${TEXT}\n\nMore.` });
      const pair = round % 2 ? [judge(), revise()] : [revise(), judge()];
      const judged = (await Promise.allSettled(pair))[round % 2 ? 0 : 1]!;
      if (judged.status === 'rejected')
        expect(judged.reason).toMatchObject({
          code: 'stale_version',
          detail: { facts: { currentVersion: 2 } },
        });
      expect(await rig.review(documentId)).toMatchObject({ version: 2, status: 'in-review', verdict: null });
      expect((await rig.page(documentId, 1)).verdict !== null).toBe(judged.status === 'fulfilled');
    }
  });

  test('two clicks on one decision at once: one answer stands whole', async () => {
    const { documentId } = await rig.create({ markdown: DECISION });
    const click = (person: typeof rig.owner, index: number, label: string) =>
      rig.get(SaveDecisionAnswer).execute(person, {
        ...on(documentId),
        version: 1,
        decisionId: 'd',
        indexes: [index],
        labels: [label],
        note: `Note with ${label}.`,
      });
    await Promise.all([click(rig.owner, 0, 'A'), click(rig.member, 1, 'B')]);
    const [decision] = (await rig.review(documentId)).decisions;
    expect(decision).toMatchObject({ selections: [{ option: decision!.selected }] });
    expect(decision!.note).toBe(`Note with ${decision!.selected}.`);
  });

  test('two revisions that reference each other and change series both come through', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = (await rig.create({ title: 'One' })).documentId;
      const two = (await rig.create({ title: 'Two' })).documentId;
      const series = `Round ${round}`;
      await Promise.all([
        rig.revise(one, { markdown: `${TEXT} One.`, references: [two], series, seriesOrdinal: 1 }),
        rig.revise(two, { markdown: `${TEXT} Two.`, references: [one], series, seriesOrdinal: 2 }),
      ]);
      for (const [documentId, other] of [
        [one, two],
        [two, one],
      ] as const)
        expect(await rig.get(GetDocument).execute(rig.agent, on(documentId))).toMatchObject({
          version: 2,
          series,
          references: [{ documentId: other }],
          referencedBy: [{ documentId: other }],
        });
    }
  });

  test('a document enters a series while another one is just referring to it', async () => {
    const one = (await rig.create({ title: 'One' })).documentId;
    const two = (await rig.create({ title: 'Two' })).documentId;
    let placed: unknown = null;
    await new Promise<void>((resolve, reject) => {
      const referring = postgres.database.run(async () => {
        await rig.get(SetDocumentReferences).execute(rig.agent, { ...on(one), references: [two] });
        resolve();
        // Stays open until the other is through; waiting for each other would end at the limit of the test.
        while (placed === null) await setTimeout(10);
      });
      referring.catch(reject);
    });
    placed = await rig
      .get(SetDocumentSeries)
      .execute(rig.agent, { ...on(two), series: 'Exports', seriesOrdinal: 1 });
    expect(placed).toMatchObject({ series: 'Exports', seriesOrdinal: 1 });
  });

  test('a page that is read while a revision is stored shows one version with its own threads', async () => {
    const { documentId } = await rig.create({ markdown: TEXT });
    await rig.comment(documentId, 'Second paragraph');
    const revising = rig.revise(documentId, { markdown: `New at the top.\n\n${TEXT}` });
    const pages = [];
    for (let n = 0; n < 20; n += 1)
      pages.push(await rig.get(GetReviewPage).execute(rig.owner, on(documentId)));
    await revising;
    for (const page of pages) {
      const { start, end } = page.threads[0]!.anchor!;
      expect(page.version.plainText.slice(start, end)).toBe('Second paragraph');
    }
    expect(await refusalOf(rig.revise(documentId, { markdown: 'x', baseVersion: 1 }))).toContain(
      'The document is at version 2.',
    );
  });
});
