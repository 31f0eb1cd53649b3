import { randomUUID } from 'node:crypto';
import { CardWork } from '#src/board/cards/application/ports/card-work.js';
import { type Json, LoupeApp } from '../../support/loupe-app.js';

let app: LoupeApp;
let token: string;
let projectId: string;

beforeAll(async () => {
  app = await LoupeApp.start();
  const owner = await app.person();
  projectId = await app.project(owner);
  ({ token } = await app.connect(owner.personId, { projectId }));
});
afterAll(() => app.stop());

const result = async (
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<Json> => {
  const { structuredContent, isError, content } = await app.call(token, name, args, headers);
  if (isError) throw new Error(content[0]!.text);
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  return structuredContent;
};
const refusal = (name: string, args: object = {}) => app.refusal(token, name, args);
const create = async (args: object = {}): Promise<string> =>
  (await result('document_create', { title: 'Plan', markdown: 'Some words.', ...args })).documentId;

describe('the small tools of documents (documents.md 8.10)', () => {
  it('rename, archive and unarchive answer with what they changed', async () => {
    const documentId = await create();
    expect(await result('document_rename', { documentId, title: ' Better plan ' })).toEqual({
      documentId,
      title: 'Better plan',
    });
    expect(await refusal('document_rename', { documentId, title: null })).toBe(
      'title: A document title must not be blank.',
    );
    expect(await refusal('document_archive', { documentId })).toMatch(/^reason: /);
    const archived = { documentId, archived: true };
    expect(await result('document_archive', { documentId, reason: 'Replaced.' })).toEqual(archived);
    expect(await result('document_archive', { documentId, reason: 'Another.' })).toEqual(archived);
    expect(await result('document_get', { documentId })).toMatchObject({ archiveReason: 'Replaced.' });
    expect(await refusal('document_publish', { documentId })).toBe(
      'documentId: The document is archived. Call document_unarchive first.',
    );
    expect(await result('document_unarchive', { documentId })).toEqual({ documentId, archived: false });
    expect(await refusal('document_unarchive', { documentId: randomUUID() })).toBe(
      'documentId: Document not found or not accessible.',
    );
  });

  it('tags and references are whole sets', async () => {
    const documentId = await create();
    const other = await create({ title: 'Other' });
    expect(await result('document_set_tags', { documentId, tags: ['Tech-Design', ' a  b ', ''] })).toEqual({
      documentId,
      tags: ['a b', 'tech-design'],
    });
    expect(await result('tag_list')).toEqual({
      tags: [
        { name: 'a b', documentCount: 1 },
        { name: 'tech-design', documentCount: 1 },
      ],
    });
    expect(await result('document_set_tags', { documentId, tags: [] })).toEqual({ documentId, tags: [] });
    expect((await result('tag_list')).tags[0]).toEqual({ name: 'a b', documentCount: 0 });
    expect(await result('document_set_references', { documentId, references: [other] })).toEqual({
      documentId,
      references: [other],
    });
    expect(await refusal('document_set_references', { documentId, references: [documentId] })).toBe(
      'references: A document cannot reference itself.',
    );
    expect(await result('document_set_references', { documentId, references: [] })).toEqual({
      documentId,
      references: [],
    });
  });

  it('series are taken, listed without ids, renamed and left', async () => {
    const documentId = await create();
    const other = await create();
    const series = { documentId, series: 'Storage', seriesOrdinal: 2 };
    expect(await result('document_set_series', series)).toEqual(series);
    expect(await refusal('document_set_series', { ...series, documentId: other, series: 'storage' })).toBe(
      `seriesOrdinal: Position 2 of that series is held by "Plan" (${documentId}). The next free one is 3.`,
    );
    expect(await result('series_list')).toEqual({
      series: [{ name: 'Storage', documentCount: 1, highestOrdinal: 2 }],
    });
    expect(await result('series_rename', { series: 'STORAGE', newName: 'Disks' })).toEqual({
      series: 'Disks',
      documentCount: 1,
    });
    expect(await refusal('series_rename', { series: 'Storage', newName: 'X' })).toBe(
      'series: No series named "Storage". The series are: Disks.',
    );
    expect(await refusal('document_set_series', { documentId, seriesOrdinal: 3 })).toBe(
      'series: A series position needs a series name.',
    );
    expect(await result('document_set_series', { documentId })).toEqual({
      documentId,
      series: null,
      seriesOrdinal: null,
    });
    expect(await result('series_list')).toEqual({
      series: [{ name: 'Disks', documentCount: 0, highestOrdinal: null }],
    });
  });
});

describe('the tools of agent reviews (documents.md 8.11, 8.12)', () => {
  it('refuse a card that is not of the project', async () => {
    const on = { cardId: randomUUID(), documentId: await create({ draft: true }) };
    expect(await refusal('document_review_submit', { ...on, version: 1, findings: [] })).toBe(
      'cardId: Card not found or not accessible.',
    );
  });

  it('take a review and its answers, with the session of the header', async () => {
    const documentId = await create({ draft: true });
    const { cardId, number } = await result('card_create', {
      title: 'A card with a design',
      body: '',
      documentIds: [documentId],
    });
    const sessions: Record<'reviewer' | 'reviser', string> = {
      reviewer: randomUUID(),
      reviser: randomUUID(),
    };
    const workers = new Map([
      [sessions.reviewer, { runId: randomUUID(), cardId, role: 'design-review' }],
      [sessions.reviser, { runId: randomUUID(), cardId, role: 'design-revise' }],
    ]);
    jest
      .spyOn(app.get(CardWork), 'runningWorker')
      .mockImplementation(async (_, sessionId) => workers.get(sessionId) ?? null);
    const on = { cardId, documentId };
    const finding = { title: 'No limit', body: 'It grows.', section: null, needsPerson: null };
    expect(await refusal('document_review_submit', { ...on, version: 1, findings: [finding] })).toBe(
      'sessionId: Only a running worker of this card with the design-review role can submit a design review.',
    );
    expect(
      await refusal('document_review_submit', {
        ...on,
        version: 1,
        findings: [finding, { ...finding, file: 'a.ts' }],
      }),
    ).toBe('findings[1].file: A design finding names no file.');
    const review = await result(
      'document_review_submit',
      { ...on, version: 1, findings: [finding] },
      { 'loupe-session-id': sessions.reviewer },
    );
    expect(review).toEqual({
      reviewId: expect.any(String),
      ...on,
      version: 1,
      current: true,
      outcome: 'failed',
      findings: [{ findingId: expect.any(String), title: 'No limit', needsPerson: false }],
    });
    const answers = [
      { findingId: review.findings[0].findingId, answer: 'not-changed', reason: 'It has one.' },
    ];
    expect(await result('document_review_answer', { ...on, sessionId: sessions.reviser, answers })).toEqual({
      reviewId: review.reviewId,
      ...on,
      answeredAt: expect.any(String),
      fixed: 0,
      notChanged: 1,
      toOwner: 0,
    });
    const { agentReviews } = await result('document_get_review', { documentId });
    expect(agentReviews).toEqual([
      {
        reviewId: review.reviewId,
        cardId,
        cardNumber: number,
        version: 1,
        current: true,
        outcome: 'failed',
        summary: null,
        submittedAt: expect.any(String),
        answeredAt: expect.any(String),
        findings: [
          {
            findingId: review.findings[0].findingId,
            title: 'No limit',
            body: 'It grows.',
            section: null,
            needsPerson: false,
            answer: 'not-changed',
            reason: 'It has one.',
          },
        ],
      },
    ]);
  });
});
