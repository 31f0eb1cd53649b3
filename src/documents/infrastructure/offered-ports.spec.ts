import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { ArchiveDocument } from '../application/commands/archive-document.js';
import { SaveDecisionAnswer } from '../application/commands/save-decision-answer.js';
import { SubmitAgentReview } from '../application/commands/submit-agent-review.js';
import { SubmitVerdict } from '../application/commands/submit-verdict.js';
import { WithdrawVerdict } from '../application/commands/withdraw-verdict.js';
import { DocumentFiling } from '../application/ports/document-filing.js';
import { type DocumentFacts, DocumentLookup } from '../application/ports/document-lookup.js';
import { ReviewVerdicts } from '../application/ports/review-verdicts.js';
import { GetDocumentDetails } from '../application/queries/get-document-details.js';
import { DocumentsRig } from '../testing/documents-rig.js';
import { FakeDocumentLookup } from '../testing/fake-document-lookup.js';

const DECISION = 'Words.\n\n<!-- decision: d -->\n\nWhich?\n\n1. A\n2. B\n\n<!-- /decision -->\n';

describe('what documents offer to other contexts', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
  });
  afterEach(() => rig.stop());

  const lookup = async (documentId: string): Promise<DocumentFacts> =>
    (await rig.get(DocumentLookup).byIds(rig.projectId, [documentId])).get(documentId)!;

  test('the facts of a document follow what happens to it', async () => {
    const { documentId } = await rig.create({ draft: true, tags: ['tech-design', 'a'] });
    const on = { projectId: rig.projectId, documentId };
    expect(await lookup(documentId)).toEqual({
      id: documentId,
      title: 'A plan',
      status: 'draft',
      draft: true,
      archived: false,
      version: 1,
      submittedAt: rig.clock.now(),
      tags: ['a', 'tech-design'],
      pendingThreads: 0,
      standingVerdict: null,
      agentReview: null,
      failedReviewRounds: 0,
    });
    const cardId = rig.ids.next();
    rig.gate.addCard(rig.projectId, cardId, 1, [documentId]);
    rig.gate.startRun('w', { runId: rig.ids.next(), cardId, role: 'design-review' });
    const { reviewId } = await rig.get(SubmitAgentReview).execute(rig.agent, {
      ...on,
      cardId,
      sessionId: 'w',
      version: 1,
      findings: [{ title: 'T', body: 'B' }],
    });
    await rig.comment(documentId, 'First paragraph');
    await rig.comment(documentId, null);
    const judged = await rig
      .get(SubmitVerdict)
      .execute(rig.owner, { ...on, version: 1, verdict: 'changes-requested' });
    expect(await lookup(documentId)).toMatchObject({
      status: 'changes-requested',
      draft: false,
      pendingThreads: 2,
      standingVerdict: {
        id: judged.id,
        verdict: 'changes-requested',
        submittedAt: new Date(judged.submittedAt),
      },
      agentReview: { id: reviewId, cardId, outcome: 'failed', answered: false },
      failedReviewRounds: 1,
    });
    await rig.get(WithdrawVerdict).execute(rig.owner, { ...on, verdictId: judged.id });
    expect(await lookup(documentId)).toMatchObject({ status: 'in-review', standingVerdict: null });
    await rig.revise(documentId, { markdown: 'Another text.' });
    await rig.get(ArchiveDocument).execute(rig.agent, { ...on, reason: 'Over.' });
    expect(await lookup(documentId)).toMatchObject({
      version: 2,
      archived: true,
      pendingThreads: 2,
      agentReview: null,
      failedReviewRounds: 1,
    });
  });

  describe.each(['the real lookup', 'its fake'])('%s', (which) => {
    test('answers for many at once, and leaves out unknown ids and those of other projects', async () => {
      const made = [await rig.create({ title: 'One' }), await rig.create({ title: 'Two', draft: true })];
      const stranger = rig.connection(rig.stranger.personId, rig.otherProjectId);
      const { documentId: theirs } = await rig
        .get(DocumentFiling)
        .create(stranger, { projectId: rig.otherProjectId, title: 'Theirs', markdown: 'Text.' });
      const fake = new FakeDocumentLookup();
      fake.put(rig.projectId, { id: made[0]!.documentId, title: 'One' });
      fake.put(rig.projectId, { id: made[1]!.documentId, title: 'Two', status: 'draft' });
      fake.put(rig.otherProjectId, { id: theirs, title: 'Theirs' });
      const port: DocumentLookup = which === 'its fake' ? fake : rig.get(DocumentLookup);
      const ids = [...made.map(({ documentId }) => documentId), theirs, rig.ids.next()];
      const facts = await port.byIds(rig.projectId, ids);
      expect([...facts.keys()].sort()).toEqual(made.map(({ documentId }) => documentId).sort());
      const plain = { archived: false, version: 1, tags: [], pendingThreads: 0, standingVerdict: null };
      expect(facts.get(made[0]!.documentId)).toMatchObject({ ...plain, title: 'One', draft: false });
      expect(facts.get(made[1]!.documentId)).toMatchObject({
        ...plain,
        title: 'Two',
        status: 'draft',
        draft: true,
      });
      expect(await port.byIds(rig.projectId, [])).toEqual(new Map());
    });
  });

  test('many documents take one statement', async () => {
    const ids = [];
    for (let n = 0; n < 5; n += 1) ids.push((await rig.create()).documentId);
    const spy = jest.spyOn(rig.database, 'query');
    await rig.get(DocumentLookup).byIds(rig.projectId, ids);
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  });

  test('a report is filed with its origin, revised, published and asked for its decisions', async () => {
    const filing = rig.get(DocumentFiling);
    const { projectId } = rig;
    const system = { kind: 'system', jobName: 'readiness' } as const;
    const filed = await filing.create(system, {
      projectId,
      title: 'Report',
      markdown: DECISION,
      draft: true,
      origin: 'readiness-report',
    });
    const { documentId } = filed;
    expect(filed).toEqual({
      documentId,
      reviewUrl: `https://loupe.example/projects/${projectId}/documents/${documentId}/review`,
      version: 1,
      status: 'draft',
    });
    const details = await rig.get(GetDocumentDetails).execute(rig.owner, { projectId, documentId });
    expect(details.createdBy).toEqual({ kind: 'agent', name: null });
    expect(
      await rig.database.one('SELECT origin FROM documents.document WHERE id = $1', [documentId]),
    ).toEqual({ origin: 'readiness-report' });
    expect(
      await filing.revise(system, {
        projectId,
        documentId,
        markdown: `More. ${DECISION}`,
        description: 'More.',
      }),
    ).toMatchObject({ version: 2, status: 'draft' });
    expect(await filing.publish(system, projectId, documentId)).toBe(true);
    expect(await filing.publish(system, projectId, documentId)).toBe(false);
    await rig.get(SaveDecisionAnswer).execute(rig.owner, {
      projectId,
      documentId,
      version: 2,
      decisionId: 'd',
      indexes: [1],
      labels: ['B'],
      note: 'Cheaper.',
    });
    expect(await filing.getDecisionState(rig.agent, projectId, documentId)).toEqual({
      version: 2,
      status: 'in-review',
      decisions: [
        {
          id: 'd',
          type: 'single',
          question: 'Which?',
          options: ['A', 'B'],
          selections: [{ option: 'B', index: 1 }],
          note: 'Cheaper.',
        },
      ],
    });
    expect(await refusalOf(filing.getDecisionState(rig.stranger, projectId, documentId))).toBe(
      'Project not found or not accessible.',
    );
  });

  test('documents 15.65: a second member’s verdict from elsewhere names that member, under the rules of the page', async () => {
    const verdicts = rig.get(ReviewVerdicts);
    const { documentId } = await rig.create();
    const verdict = {
      projectId: rig.projectId,
      documentId,
      version: 1,
      verdict: 'approved',
      note: null,
    } as const;
    expect(
      await refusalOf(verdicts.submit(rig.member, { ...verdict, verdict: 'changes-requested' })),
    ).toMatch(/^note: /);
    const id = await verdicts.submit(rig.member, { ...verdict, previousVerdictId: null });
    expect((await rig.page(documentId)).verdict).toMatchObject({
      id,
      reviewer: { personId: rig.member.personId, name: 'Ben Member' },
    });
    expect(rig.outbox.events.at(-1)).toMatchObject({
      type: 'VerdictSubmitted',
      payload: { documentId, verdictId: id, verdict: 'approved', reviewerUserId: rig.member.personId },
    });
    expect(await refusalOf(verdicts.submit(rig.viewer, verdict))).toMatch(/viewer/);
    await rig.revise(documentId, { markdown: 'Another text.' });
    expect(await refusalOf(verdicts.submit(rig.owner, verdict))).toMatch(/^Version 2 has arrived/);
  });
});
