import type { ConnectionActor } from '#libs/kernel/actor.js';
import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { WhenCardDeleted } from '../reactions/when-card-deleted.js';
import { AnswerAgentReview, type AnswerAgentReviewInput } from './answer-agent-review.js';
import { ArchiveDocument } from './archive-document.js';
import { PublishDocument } from './publish-document.js';
import { SubmitAgentReview, type SubmitAgentReviewInput } from './submit-agent-review.js';

const WRONG = { title: 'The queue has no limit', body: 'It **grows** <script>alert(1)</script>.' };
const ASKS = { title: 'Who pays?', body: 'Nobody says.', section: 'heading-costs', needsPerson: true };

describe('reviews by agents', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;
  let cardId: string;
  let documentId: string;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ pool: 10 });
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    rig = await DocumentsRig.start(postgres.database);
    documentId = (await rig.create({ draft: true })).documentId;
    cardId = rig.ids.next();
    rig.gate.addCard(rig.projectId, cardId, 42, [documentId]);
    startRun('reviewer', 'design-review');
    startRun('reviser', 'design-revise');
    rig.forget();
  });
  afterEach(() => rig.stop());

  function startRun(sessionId: string, role: 'design-review' | 'design-revise', card = cardId): void {
    rig.gate.startRun(sessionId, { runId: rig.ids.next(), cardId: card, role });
  }

  const submit = (input: Partial<SubmitAgentReviewInput> = {}, actor: ConnectionActor = rig.agent) =>
    rig.get(SubmitAgentReview).execute(actor, {
      projectId: rig.projectId,
      cardId,
      documentId,
      sessionId: 'reviewer',
      version: 1,
      findings: [WRONG],
      ...input,
    });
  const answer = (input: Partial<AnswerAgentReviewInput> = {}) =>
    rig.get(AnswerAgentReview).execute(rig.agent, {
      projectId: rig.projectId,
      cardId,
      documentId,
      sessionId: 'reviser',
      ...input,
    });
  const stored = async () => (await rig.review(documentId)).agentReviews;
  /** One answer for each finding of a review. */
  const fixedAll = (review: Awaited<ReturnType<typeof submit>>) =>
    review.findings.map(({ findingId }) => ({ findingId, answer: 'fixed' }));

  test('documents 15.55: a review of the linked draft is stored; its findings decide the outcome', async () => {
    const failed = await submit({ findings: [WRONG, ASKS], summary: ' In short. ' });
    expect(failed).toEqual({
      reviewId: expect.any(String),
      documentId,
      cardId,
      version: 1,
      current: true,
      outcome: 'failed',
      findings: [
        { findingId: expect.any(String), title: WRONG.title, needsPerson: false },
        { findingId: expect.any(String), title: ASKS.title, needsPerson: true },
      ],
    });
    startRun('second', 'design-review');
    expect(await submit({ sessionId: 'second', findings: [ASKS] })).toMatchObject({ outcome: 'passed' });
    startRun('third', 'design-review');
    expect(await submit({ sessionId: 'third', findings: [] })).toMatchObject({
      outcome: 'passed',
      findings: [],
    });
    expect(await stored()).toMatchObject([
      { outcome: 'passed', findings: [] },
      { outcome: 'passed', findings: [{ needsPerson: true }] },
      {
        reviewId: failed.reviewId,
        cardId,
        cardNumber: 42,
        version: 1,
        current: true,
        outcome: 'failed',
        summary: 'In short.',
        answeredAt: null,
        findings: [
          { ...WRONG, section: null, needsPerson: false, answer: null, reason: null },
          { ...ASKS, answer: null, reason: null },
        ],
      },
    ]);
    const page = await rig.page(documentId);
    expect(page.agentReviews[2]!.findings[0]!.bodyHtml).toContain('<strong>grows</strong>');
    expect(page.agentReviews[2]!.findings[0]!.bodyHtml).not.toContain('<script');
  });

  test('a stored review is told once: event, audit record, live update', async () => {
    const { reviewId } = await submit({ findings: [WRONG, ASKS] });
    expect(rig.outbox.events).toMatchObject([
      {
        type: 'AgentReviewSubmitted',
        projectId: rig.projectId,
        payload: {
          documentId,
          versionNumber: 1,
          reviewId,
          cardId,
          outcome: 'failed',
          findingCount: 2,
          needsPersonCount: 1,
          current: true,
        },
      },
    ]);
    expect(rig.audit.entries).toMatchObject([
      {
        operation: 'agent_review.submitted',
        subjectType: 'agent_review',
        context: { documentId: expect.any(String) },
      },
    ]);
    expect(rig.live.sent).toHaveLength(1);
    await submit({ findings: [WRONG, ASKS] });
    expect([rig.outbox.events, rig.audit.entries, rig.live.sent].map((told) => told.length)).toEqual([
      1, 1, 1,
    ]);
  });

  test('documents 15.56: only a running worker of the card with the role submits one', async () => {
    const role =
      'sessionId: Only a running worker of this card with the design-review role can submit a design review.';
    expect(await refusalOf(submit({ sessionId: null }))).toBe(role);
    expect(await refusalOf(submit({ sessionId: 'somebody' }))).toBe(role);
    expect(await refusalOf(submit({ sessionId: 'reviser' }))).toBe(role);
    const other = rig.ids.next();
    rig.gate.addCard(rig.projectId, other, 43, [documentId]);
    startRun('of-another-card', 'design-review', other);
    expect(await refusalOf(submit({ sessionId: 'of-another-card' }))).toBe(role);
    rig.gate.endRun('reviewer');
    expect(await refusalOf(submit())).toBe(role);
    startRun('reviewer', 'design-review');
    const foreign = rig.ids.next();
    rig.gate.addCard(rig.otherProjectId, foreign, 1, [documentId]);
    for (const unknown of [foreign, rig.ids.next()])
      expect(await refusalOf(submit({ cardId: unknown }))).toBe('cardId: Card not found or not accessible.');
    expect(await stored()).toEqual([]);
  });

  test('documents 15.56: a document in review, or one that the card does not link, takes none', async () => {
    const { documentId: apart } = await rig.create({ draft: true });
    for (const unlinked of [apart, rig.ids.next()])
      expect(await refusalOf(submit({ documentId: unlinked }))).toBe(
        'documentId: The card does not link this document.',
      );
    const on = { projectId: rig.projectId, documentId };
    await submit();
    await rig.get(PublishDocument).execute(rig.agent, on);
    startRun('late', 'design-review');
    expect(await refusalOf(submit({ sessionId: 'late' }))).toBe(
      'documentId: Only a draft takes an agent review. This document is in-review.',
    );
    expect(await stored()).toHaveLength(1);
    await rig.get(ArchiveDocument).execute(rig.agent, { ...on, reason: 'Over.' });
    expect(await refusalOf(submit({ sessionId: 'late' }))).toBe(
      'documentId: The document is archived. Call document_unarchive first.',
    );
  });

  test('the session of the connection counts when none is named', async () => {
    const worker = { ...rig.agent, agentSessionId: 'reviewer' };
    expect(await submit({ sessionId: null }, worker)).toMatchObject({ outcome: 'failed' });
  });

  test('documents 15.57: an older version is taken as not current, a missing one is refused', async () => {
    await rig.revise(documentId, { markdown: 'Another text.' });
    expect(await submit()).toMatchObject({ version: 1, current: false });
    expect(await refusalOf(submit({ version: 9 }))).toBe(
      'version: The document has no version 9. The newest is 2.',
    );
    expect(await submit({ version: 2 })).toMatchObject({ version: 2, current: true });
  });

  test('the same review again is a retry, another one of the same run is refused, also at once', async () => {
    const [first, again] = await Promise.all([submit(), submit()]);
    expect(again).toEqual(first);
    await rig.revise(documentId, { markdown: 'Another text.' });
    expect(await submit()).toEqual(first);
    expect(await refusalOf(submit({ findings: [] }))).toBe('version: This run already reviewed version 1.');
    expect(await stored()).toHaveLength(1);
  });

  test('everything that is wrong with the arguments is named at once, before any state', async () => {
    const findings = [
      { title: ' ', body: '' },
      { title: 'two\nlines', body: 'x', line: 3 },
      { title: 'x'.repeat(201), body: 'x'.repeat(5_001), section: 'x'.repeat(256), file: 'a.ts', extra: 1 },
    ];
    expect((await refusalOf(submit({ cardId: 'nonsense', version: 0, findings }))).split('\n')).toEqual([
      'cardId: "nonsense" is not a valid id.',
      'version: Name the version by its number, from 1.',
      'findings[0].title: A title must not be blank.',
      'findings[0].body: A body must not be blank.',
      'findings[1].line: A design finding names no file.',
      'findings[1].title: A title must be one line.',
      'findings[2].file: A design finding names no file.',
      'findings[2]: has unknown fields: extra',
      'findings[2].title: A title must be at most 200 characters.',
      'findings[2].body: A body must be at most 5000 characters.',
      'findings[2].section: A section must be at most 255 characters.',
    ]);
    expect(await refusalOf(submit({ findings: Array.from({ length: 51 }, () => WRONG) }))).toBe(
      'findings: At most 50 findings.',
    );
    expect(await refusalOf(submit({ findings: null, summary: 'x'.repeat(4_001) }))).toBe(
      'findings: Name the findings; [] when there are none.\nsummary: A summary must be at most 4000 characters.',
    );
  });

  test('documents 15.58: the answers come all together, once, and are read with the review', async () => {
    const review = await submit({ findings: [WRONG, ASKS, { title: 'Third', body: 'Body.' }] });
    const [one, two, three] = review.findings.map(({ findingId }) => findingId);
    expect(
      await refusalOf(
        answer({
          answers: [
            { findingId: one, answer: 'fixed' },
            { findingId: three, answer: 'fixed' },
          ],
        }),
      ),
    ).toBe(`answers: Missing an answer for: ${two} "${ASKS.title}".`);
    expect(
      await refusalOf(
        answer({
          answers: [
            { findingId: one, answer: 'not-changed' },
            { findingId: two, answer: 'maybe' },
          ],
        }),
      ),
    ).toBe(
      'answers[0].reason: Say why nothing changes.\nanswers[1].answer: Use one of: fixed, not-changed, to-owner.',
    );
    const unknown = rig.ids.next();
    expect(
      await refusalOf(
        answer({
          answers: [one, one, unknown, two, three].map((findingId) => ({ findingId, answer: 'fixed' })),
        }),
      ),
    ).toBe(
      'answers[1].findingId: This finding is answered twice.\nanswers[2].findingId: Not a finding of that review.',
    );
    rig.forget();
    const answers = [
      { findingId: three, answer: 'fixed' },
      { findingId: one, answer: 'not-changed', reason: ' It has one. ' },
      { findingId: two, answer: 'to-owner' },
    ];
    const answered = await answer({ answers, reviewId: review.reviewId });
    expect(answered).toEqual({
      reviewId: review.reviewId,
      documentId,
      cardId,
      answeredAt: rig.clock.now().toISOString(),
      fixed: 1,
      notChanged: 1,
      toOwner: 1,
    });
    expect(rig.outbox.events).toMatchObject([
      { type: 'AgentReviewAnswered', payload: { cardId, fixed: 1, notChanged: 1, toOwner: 1 } },
    ]);
    expect(rig.audit.entries.map(({ operation }) => operation)).toEqual(['agent_review.answered']);
    rig.clock.advance(1_000);
    expect(await answer({ answers })).toEqual(answered);
    expect(rig.outbox.events).toHaveLength(1);
    expect(await refusalOf(answer({ answers: fixedAll(review) }))).toBe(
      'documentId: That review is already answered.',
    );
    expect(await stored()).toMatchObject([
      {
        cardId,
        cardNumber: 42,
        answeredAt: answered.answeredAt,
        findings: [
          { answer: 'not-changed', reason: 'It has one.' },
          { answer: 'to-owner', reason: null },
          { answer: 'fixed', reason: null },
        ],
      },
    ]);
    expect((await rig.review(documentId)).version).toBe(1);
  });

  test('answers need the design-revise role, a review, and findings in it', async () => {
    expect(await refusalOf(answer({ answers: [] }))).toBe('answers: Give one answer for each finding.');
    const answers = [{ findingId: rig.ids.next(), answer: 'fixed' }];
    expect(await refusalOf(answer({ answers, sessionId: 'reviewer' }))).toBe(
      'sessionId: Only a running worker of this card with the design-revise role can answer a design review.',
    );
    expect(await refusalOf(answer({ answers }))).toBe(
      'documentId: This card got no agent review for the document.',
    );
    await submit({ findings: [] });
    expect(await refusalOf(answer({ answers }))).toBe(
      'documentId: The latest review has no findings to answer.',
    );
  });

  test('documents 15.59: after a second review the first can no longer be answered', async () => {
    const first = await submit();
    startRun('second', 'design-review');
    rig.clock.advance(1_000);
    const second = await submit({ sessionId: 'second' });
    expect(await refusalOf(answer({ answers: fixedAll(first), reviewId: first.reviewId }))).toBe(
      `reviewId: A newer review exists (${second.reviewId}).`,
    );
    expect(await refusalOf(answer({ answers: fixedAll(first) }))).toContain(
      'answers[0].findingId: Not a finding of that review.',
    );
    expect(await answer({ answers: fixedAll(second) })).toMatchObject({ reviewId: second.reviewId });
  });

  test('with the board off, or with nobody to ask, both are refused as switched off', async () => {
    const sentence = 'The board is switched off on this instance.';
    rig.flags.set('board.enabled', 'false');
    expect(await refusalOf(submit())).toBe(sentence);
    expect(await refusalOf(answer())).toBe(sentence);
    rig.flags.set('board.enabled', null);
    const alone = await DocumentsRig.start(postgres.database, { board: false });
    try {
      const input = { projectId: alone.projectId, cardId, documentId };
      expect(await refusalOf(alone.get(SubmitAgentReview).execute(alone.agent, input))).toBe(sentence);
      expect(await refusalOf(alone.get(AnswerAgentReview).execute(alone.agent, input))).toBe(sentence);
    } finally {
      await alone.stop();
    }
  });

  test('the reviews of a card that is gone stay, without its number', async () => {
    await submit();
    const event = { type: 'CardDeleted', aggregateId: cardId } as never;
    await rig.get(WhenCardDeleted).handle(event);
    expect(await stored()).toMatchObject([{ cardId, cardNumber: null }]);
  });
});
