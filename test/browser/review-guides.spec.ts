import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { sql } from '../support/settled-server.js';
import { until } from '../support/until.js';

const PLAN = `## Summary

Exports move to a queue, so that a slow partner never blocks the others.

Each export names the project it belongs to.

## Limits

An export holds at most one million rows.
`;

const REVIEW_ID = '0196aaaa-0000-7000-8000-000000000001';

/** What a reader is led to: links of threads, tinted passages, and what reviewing agents found. */
describeInBrowser('what leads a reader', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    reader = await desk.window();
    review = new ReviewPage(reader.page);
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  const opened = async (title: string, more: Record<string, unknown> = {}) => {
    const filed = await desk.file(title, PLAN, more);
    await review.open(filed.reviewUrl);
    return filed;
  };
  const onlyComment = async (documentId: string) => {
    const { comments } = await desk.review(documentId);
    expect(comments).toHaveLength(1);
    return comments[0]!;
  };

  it('documents 5.3: a link that names a thread by its old id leads to the copy on the newest version', async () => {
    const { documentId, reviewUrl } = await opened('Old links');
    await review.commentOn('one million rows', 'Follow me.');
    const { id } = await onlyComment(documentId);
    await desk.revise(documentId, `A new beginning.\n\n${PLAN}`);
    await review.open(`${reviewUrl}#thread-${id}`);
    const card = review.thread('Follow me.');
    await until(async () => (await card.getAttribute('data-active')) === 'true');
    expect(await card.getAttribute('data-card')).not.toBe(id);
    expect(await reader.page.locator('mark[data-active]').allTextContents()).toEqual(['one million rows']);
  });

  it('documents 5.3: a link to a thread that was resolved before the revision leads to the version where it ended', async () => {
    const { documentId, reviewUrl } = await opened('Ended threads');
    await review.commentOn('one million rows', 'Settled early.');
    const { id } = await onlyComment(documentId);
    await review.thread('Settled early.').getByRole('button', { name: 'Resolve' }).click();
    await until(async () => (await onlyComment(documentId)).status === 'resolved');
    await desk.revise(documentId, `A new beginning.\n\n${PLAN}`);
    await review.open(`${reviewUrl}#thread-${id}`);
    await reader.page.waitForURL('**/review/versions/1#thread-**');
    await review.thread('Settled early.').waitFor();
  });

  it('documents 15.54: tinted passages show while the flag is on, and never become part of the text', async () => {
    const { documentId, reviewUrl } = await opened('Tinted');
    const tinted = () =>
      reader.page.evaluate(
        "[...(CSS.highlights.get('loupe-tint') ?? [])].map((range) => range.toString())",
      ) as Promise<string[]>;
    expect(await tinted()).toEqual([]);
    await desk.flag('review.highlights.enabled', true);
    try {
      await desk.tool('document_highlight', { documentId, quotes: ['a slow partner', 'one million rows'] });
      await review.open(reviewUrl);
      await until(async () => (await tinted()).length === 2);
      expect(await tinted()).toEqual(['a slow partner', 'one million rows']);
      await review.commentOn('slow partner', 'Under the tint.');
      await until(async () => (await tinted()).join('') === 'a slow partnerone million rows');
      expect(await onlyComment(documentId)).toMatchObject({ quote: 'slow partner' });
      await desk.tool('document_highlight', { documentId, quotes: [] });
      await until(async () => (await tinted()).length === 0);
    } finally {
      await desk.flag('review.highlights.enabled', false);
    }
  });

  it('documents 9.3: Details show the reviews of agents with findings and answers, and a new one without a reload', async () => {
    const { documentId } = await opened('Reviewed by agents');
    await reader.page.getByRole('tab', { name: 'Details' }).click();
    const reviews = review.side.getByRole('region', { name: 'Agent reviews' });
    expect(await reviews.count()).toBe(0);
    // The tools ask for a worker run, which is another context's; here only the page matters.
    await sql(
      desk.server,
      `INSERT INTO documents.agent_review (id, document_id, card_id, card_number, run_id, session_id, version_number,
         was_current, outcome, summary, submitted_at, answered_at, answer_run_id)
       VALUES ($1, $2, gen_random_uuid(), 12, gen_random_uuid(), 's', 1, true, 'failed', 'Two things stand open.',
         now(), now(), gen_random_uuid())`,
      [REVIEW_ID, documentId],
    );
    await sql(
      desk.server,
      `INSERT INTO documents.agent_review_finding (id, agent_review_id, position, title, body, body_html, section,
         needs_person, answer, reason)
       VALUES (gen_random_uuid(), $1, 0, 'The limit has no reason', 'Say *why*.', '<p>Say <em>why</em>.</p>', 'Limits',
                false, 'fixed', null),
              (gen_random_uuid(), $1, 1, 'Who owns the queue', 'Ask.', '<p>Ask.</p>', 'No such heading', true,
                'not-changed', 'The owner has decided it already.')`,
      [REVIEW_ID],
    );
    // Any news of the document makes the page read its state anew.
    await desk.tool('document_set_tags', { documentId, tags: ['plan'] });
    await reviews.getByText('Two things stand open.').waitFor();
    await reviews.getByText('Failed').waitFor();
    await reviews.getByText('card #12', { exact: false }).first().waitFor();
    const findings = reviews.getByRole('listitem');
    expect(await findings.count()).toBe(2);
    expect(await findings.nth(0).locator('em').textContent()).toBe('why');
    expect(await findings.nth(0).getByRole('link', { name: 'Limits' }).getAttribute('href')).toBe(
      '#heading-limits',
    );
    await findings.nth(0).getByText('Fixed').waitFor();
    await findings.nth(1).getByText('Needs a person').waitFor();
    await findings.nth(1).getByText('The owner has decided it already.').waitFor();
    expect(await findings.nth(1).getByRole('link').count()).toBe(0);
    expect(await review.seriousFindings()).toEqual([]);
  });

  it('no page of these reviews ran into an error or asked another host for anything', () => {
    // Refusals are part of these walks; the browser reports them and nothing else.
    expect(reader.seen.errors.filter((error) => !/status of 4(09|22)/.test(error))).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
