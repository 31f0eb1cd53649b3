import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { SetDocumentSeries } from '../commands/set-document-series.js';
import { SubmitAgentReview } from '../commands/submit-agent-review.js';
import { SubmitVerdict } from '../commands/submit-verdict.js';
import { GetDocument, type GetDocumentInput } from './get-document.js';
import { ListDocuments } from './list-documents.js';
import { ListSeries } from './list-series.js';
import { ListTags } from './list-tags.js';

/** What no answer exceeds that asks for nothing special, in characters of JSON. */
const MOST = 20_000;

const size = (answer: unknown) => JSON.stringify(answer).length;

describe('answers to agents stay below 20,000 characters', () => {
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

  const get = (documentId: string, input: Partial<GetDocumentInput> = {}) =>
    rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId, ...input });

  test.each([
    ['plain lines', 'A line of the plan with some words in it.\n'],
    ['signs that JSON writes with two or six characters', '"\\\t"\u0001\n'],
    ['emoji', '👩‍👩‍👧‍👦 family, '],
    ['one long word', 'x'],
  ])('a long text of %s comes in slices that together are the whole', async (_, piece) => {
    const markdown = piece.repeat(Math.ceil(70_000 / piece.length));
    const { documentId } = await rig.create({ markdown });
    const stored = (await get(documentId, { length: 200_000 })).markdown;
    let read = '';
    let offset: number | null = 0;
    while (offset !== null) {
      const answer: Awaited<ReturnType<typeof get>> = await get(documentId, { offset });
      expect(size(answer)).toBeLessThanOrEqual(MOST);
      expect(answer.markdown.length).toBeGreaterThan(0);
      read += answer.markdown;
      offset = answer.nextOffset;
    }
    expect(read).toBe(stored);
  });

  test('links that do not fit beside the text are counted; length brings all of them', async () => {
    const title = 'T'.repeat(255);
    const targets = [];
    for (let n = 0; n < 20; n += 1) targets.push((await rig.create({ title })).documentId);
    const { documentId } = await rig.create({ references: targets, markdown: 'word '.repeat(10_000) });
    const brief = await get(documentId);
    expect(size(brief)).toBeLessThanOrEqual(MOST);
    expect(brief.references.length).toBeGreaterThan(0);
    expect(brief).toMatchObject({ referencesLeftOut: 20 - brief.references.length });
    const asked = await get(documentId, { length: 1_000 });
    expect(asked.references.map((link) => link.documentId)).toEqual(targets);
    expect(asked).not.toHaveProperty('referencesLeftOut');
    expect(await get(targets[0]!)).not.toHaveProperty('referencedByLeftOut');
  });

  test('a list is made of summaries: long descriptions and titles are cut, tags are counted', async () => {
    const tags = Array.from({ length: 20 }, (_, n) => `tag ${n} ${'t'.repeat(40)}`);
    for (let n = 0; n < 50; n += 1)
      await rig.create({
        title: `${n} "${'title '.repeat(41)}`,
        description: 'What "this" settles. '.repeat(90),
        tags,
        series: 'S'.repeat(100),
        seriesOrdinal: n + 1,
      });
    const list = await rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId });
    expect(list.documents).toHaveLength(50);
    expect(size(list)).toBeLessThanOrEqual(MOST);
    expect(list.documents[0]!.title).toMatch(/^\d+ "title .*…$/);
    expect(list.documents[0]!.tagsLeftOut).toBe(20 - list.documents[0]!.tags.length);
    rig.clock.advance(1_000);
    const { documentId } = await rig.create({ title: 'Short', description: 'Whole. '.repeat(60).trim() });
    const [short] = (
      await rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, perPage: 1 })
    ).documents;
    expect(short).toMatchObject({ documentId, title: 'Short', tags: [] });
    expect(short!.versionDescription).toMatch(/^Whole\. Whole\..*…$/);
  });

  test('tags and series beyond an answer are left out and counted, the least used first', async () => {
    for (let n = 0; n < 30; n += 1)
      await rig.create({
        tags: ['everywhere', ...Array.from({ length: 19 }, (_, t) => `tag ${n * 19 + t} ${'x'.repeat(30)}`)],
      });
    const tags = await rig.get(ListTags).execute(rig.agent, { projectId: rig.projectId, brief: true });
    expect(size(tags)).toBeLessThanOrEqual(MOST);
    expect(tags.tags.map((tag) => tag.name)).toContain('everywhere');
    expect(tags.leftOut).toBe(571 - tags.tags.length);
    const { documentId } = await rig.create();
    for (let n = 0; n < 150; n += 1)
      await rig.get(SetDocumentSeries).execute(rig.agent, {
        projectId: rig.projectId,
        documentId,
        series: `Series ${n} ${'x'.repeat(80)}`,
        seriesOrdinal: 1,
      });
    const series = await rig.get(ListSeries).execute(rig.agent, { projectId: rig.projectId, brief: true });
    expect(size(series)).toBeLessThanOrEqual(MOST);
    expect(series.series.some((one) => one.name.startsWith('Series 149 '))).toBe(true);
    expect(series.leftOut).toBe(150 - series.series.length);
  });

  test('a review with thousands of headings, findings and threads is read whole, part by part', async () => {
    const block = (n: number) =>
      `<!-- decision: d-${n} -->\n\nWhich of ${n}?\n\n1. ${'One option. '.repeat(10)}\n2. The other.\n\n<!-- /decision -->`;
    const markdown = [
      ...Array.from({ length: 2_000 }, (_, n) => `## Section ${n}\n\nWords of ${n}.`),
      ...Array.from({ length: 40 }, (_, n) => block(n)),
    ].join('\n\n');
    const { documentId } = await rig.create({ markdown, draft: true });
    for (let n = 0; n < 60; n += 1)
      await rig.comment(documentId, `Words of ${n}.`, { body: `Comment ${n}. ${'More words. '.repeat(60)}` });
    const cardId = rig.ids.next();
    rig.gate.addCard(rig.projectId, cardId, 7, [documentId]);
    rig.gate.startRun('worker', { runId: rig.ids.next(), cardId, role: 'design-review' });
    const findings = Array.from({ length: 12 }, (_, n) => ({
      title: `Finding ${n}`,
      body: 'B'.repeat(5_000),
    }));
    await rig.get(SubmitAgentReview).execute(rig.agent, {
      projectId: rig.projectId,
      documentId,
      cardId,
      sessionId: 'worker',
      version: 1,
      findings,
    });
    await rig.get(SubmitVerdict).execute(rig.owner, {
      projectId: rig.projectId,
      documentId,
      version: 1,
      verdict: 'changes-requested',
      note: 'N'.repeat(5_000),
    });

    const first = await rig.review(documentId);
    expect(first.decisions.length).toBeGreaterThan(0);
    expect(first.comments.length).toBeGreaterThan(0);
    const seen = { comments: [] as string[], decisions: [] as string[], sections: [] as string[] };
    const found: string[] = [];
    let after: string | null = null;
    let answers = 0;
    do {
      const answer: Awaited<ReturnType<typeof rig.review>> = await rig.review(documentId, { after });
      expect(size(answer)).toBeLessThanOrEqual(MOST);
      seen.comments.push(...answer.comments.map((comment) => comment.id));
      seen.decisions.push(...answer.decisions.map((decision) => decision.id));
      seen.sections.push(...answer.sections.map((section) => section.headingId));
      found.push(...answer.agentReviews.flatMap((review) => review.findings.map((finding) => finding.title)));
      expect(answer.hasMore).toBe(answer.nextAfter !== null);
      after = answer.nextAfter;
      answers += 1;
    } while (after !== null && answers < 100);
    const counted = [seen.comments, seen.decisions, seen.sections, found];
    expect(counted.map((ids) => [ids.length, new Set(ids).size])).toEqual([
      [60, 60],
      [40, 40],
      [2_000, 2_000],
      [12, 12],
    ]);
  });
});
