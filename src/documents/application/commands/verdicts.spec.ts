import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { ListVersions } from '../queries/list-versions.js';
import { ArchiveDocument } from './archive-document.js';
import { MarkCommentsAddressed } from './mark-comments-addressed.js';
import { SubmitVerdict, type SubmitVerdictInput } from './submit-verdict.js';
import { WithdrawVerdict } from './withdraw-verdict.js';

describe('verdicts', () => {
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

  const submit = (documentId: string, input: Partial<SubmitVerdictInput> = {}, actor = rig.owner) =>
    rig.get(SubmitVerdict).execute(actor, {
      projectId: rig.projectId,
      documentId,
      version: 1,
      verdict: 'approved',
      ...input,
    });
  const withdraw = (documentId: string, verdictId: string, actor = rig.owner) =>
    rig.get(WithdrawVerdict).execute(actor, { projectId: rig.projectId, documentId, verdictId });

  test('documents 15.26: a request for changes needs a note or a pending thread', async () => {
    const { documentId } = await rig.create();
    const ask = (note?: string) => submit(documentId, { verdict: 'changes-requested', note });
    await expect(ask('  ')).rejects.toMatchObject({ kind: 'invalid', code: 'note_required' });
    const thread = await rig.comment(documentId, 'First paragraph');
    await ask();
    expect(await rig.review(documentId)).toMatchObject({ status: 'changes-requested', note: null });
    await rig
      .get(MarkCommentsAddressed)
      .execute(rig.agent, { projectId: rig.projectId, commentIds: [thread] });
    await expect(ask()).rejects.toMatchObject({ code: 'note_required' });
    await ask('Please say *why*.');
    expect(await rig.review(documentId)).toMatchObject({
      verdict: 'changes-requested',
      note: 'Please say *why*.',
      submittedAt: rig.clock.now().toISOString(),
    });
    expect((await rig.page(documentId)).verdict).toMatchObject({
      noteHtml: expect.stringContaining('<em>why</em>'),
      reviewer: { personId: rig.owner.personId, name: 'Ada Owner' },
      yours: true,
    });
  });

  test('documents 15.27: a verdict on a page that a revision overtook is refused with the newest version', async () => {
    const { documentId } = await rig.create();
    await rig.revise(documentId, { markdown: 'Second.' });
    await expect(submit(documentId, { note: 'Fine.' })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'stale_version',
      detail: { facts: { currentVersion: 2 } },
    });
    expect((await rig.review(documentId)).verdict).toBeNull();
  });

  test('documents 15.28: its author alone withdraws a verdict, and the history keeps it', async () => {
    const { documentId } = await rig.create();
    const verdict = await submit(documentId);
    await expect(withdraw(documentId, verdict.id, rig.member)).rejects.toMatchObject({ kind: 'forbidden' });
    rig.forget();
    expect(await withdraw(documentId, verdict.id)).toEqual({ id: documentId, status: 'in-review' });
    expect(rig.outbox.events).toMatchObject([
      { type: 'VerdictWithdrawn', payload: { verdictId: verdict.id, withdrawnByUserId: rig.owner.personId } },
    ]);
    expect(await rig.review(documentId)).toMatchObject({ status: 'in-review', verdict: null });
    await expect(withdraw(documentId, verdict.id)).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
    rig.clock.advance(1_000);
    await submit(documentId, { verdict: 'changes-requested', note: 'After all.' });
    const history = await rig.get(ListVersions).execute(rig.member, { projectId: rig.projectId, documentId });
    expect(history.versions[0]!.verdicts).toMatchObject([
      { verdict: 'changes-requested', withdrawnAt: null, yours: false },
      { verdict: 'approved', withdrawnAt: expect.any(String), reviewer: { name: 'Ada Owner' } },
    ]);
  });

  test('no earlier verdict comes back when the last one is withdrawn', async () => {
    const { documentId } = await rig.create();
    await submit(documentId, {}, rig.member);
    const second = await submit(documentId, { verdict: 'changes-requested', note: 'Wait.' });
    await withdraw(documentId, second.id);
    expect(await rig.review(documentId)).toMatchObject({ status: 'in-review', verdict: null });
  });

  test('documents 15.29 and 15.30: open threads do not stop an approval, and a draft can be approved', async () => {
    const { documentId } = await rig.create({ draft: true });
    await rig.comment(documentId, 'First paragraph');
    await submit(documentId);
    expect(await rig.review(documentId)).toMatchObject({ status: 'approved', counts: { pending: 1 } });
    expect(rig.outbox.events.at(-1)).toMatchObject({
      type: 'VerdictSubmitted',
      projectId: rig.projectId,
      payload: { documentId, versionNumber: 1, verdict: 'approved', reviewerUserId: rig.owner.personId },
    });
  });

  test('documents 15.65: the verdict of a second member counts and names that member', async () => {
    const { documentId } = await rig.create();
    const { id } = await submit(documentId, {}, rig.member);
    expect((await rig.page(documentId)).verdict).toMatchObject({
      reviewer: { name: 'Ben Member' },
      yours: false,
    });
    expect(rig.audit.entries.at(-1)).toMatchObject({
      operation: 'verdict.submitted',
      subjectType: 'verdict',
      subjectId: id,
      context: { documentId, version: 1, verdict: 'approved' },
      actor: rig.member,
    });
  });

  test('a verdict that another one overtook is refused and shows that one', async () => {
    const { documentId } = await rig.create();
    const first = await submit(documentId, { previousVerdictId: null }, rig.member);
    await expect(submit(documentId, { previousVerdictId: null })).rejects.toMatchObject({
      code: 'stale_verdict',
      detail: { facts: { verdict: { id: first.id, reviewer: { name: 'Ben Member' } } } },
    });
    const second = await submit(documentId, { previousVerdictId: first.id });
    expect((await rig.page(documentId)).verdict?.id).toBe(second.id);
  });

  test('two verdicts at once on one page: one stands, the other is refused', async () => {
    const { documentId } = await rig.create();
    const results = await Promise.allSettled([
      submit(documentId, { previousVerdictId: null }),
      submit(documentId, { previousVerdictId: null, verdict: 'changes-requested', note: 'No.' }, rig.member),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const kept = results.find((result) => result.status === 'fulfilled') as PromiseFulfilledResult<{
      id: string;
    }>;
    expect((await rig.page(documentId)).verdict?.id).toBe(kept.value.id);
  });

  test('archived documents take no verdict and give none back', async () => {
    const { documentId } = await rig.create();
    const verdict = await submit(documentId);
    await rig.get(ArchiveDocument).execute(rig.owner, { projectId: rig.projectId, documentId });
    await expect(submit(documentId)).rejects.toMatchObject({ code: 'archived' });
    await expect(withdraw(documentId, verdict.id)).rejects.toMatchObject({ code: 'archived' });
  });

  test('bad input comes back at once; viewers and agents give no verdict', async () => {
    const { documentId } = await rig.create();
    expect(
      await refusalOf(submit(documentId, { version: 0, verdict: 'fine', note: 'x'.repeat(10_001) })),
    ).toBe(
      [
        'version: Name the version by its number, from 1.',
        'note: A note must be at most 10000 characters.',
        'verdict: Use one of: approved, changes-requested.',
      ].join('\n'),
    );
    await expect(submit(documentId, {}, rig.viewer)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(submit(documentId, {}, rig.stranger)).rejects.toMatchObject({ kind: 'not-found' });
    const byAgent = rig.get(SubmitVerdict).execute(rig.agent, {
      projectId: rig.projectId,
      documentId,
      version: 1,
      verdict: 'approved',
    });
    await expect(byAgent).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
