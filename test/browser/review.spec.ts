import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk, SECOND } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { ADMIN } from '../support/settled-server.js';
import { until } from '../support/until.js';

const PLAN = `## Summary

Exports move to a queue, so that a slow partner never blocks the others.

Each export names the project it belongs to.

## Limits

An export holds at most one million rows.
`;

/** A person reviews what an agent wrote, and the agent reads the review: built server, real browser. */
describeInBrowser('review by a person', () => {
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

  it('documents 15.19: selected words with a comment are marked, and the agent reads quote, body and "human", but no name', async () => {
    const { documentId } = await opened('Words');
    await review.commentOn('a slow partner', 'Which partner is slow?');
    expect(await review.marked(review.thread('Which partner'))).toBe('a slow partner');
    const mark = reader.page.getByRole('button', { name: /^Passage with 1 comment/ });
    expect(await mark.textContent()).toBe('a slow partner');
    const seen = await desk.review(documentId);
    expect(seen.comments).toMatchObject([
      { quote: 'a slow partner', body: 'Which partner is slow?', author: 'human', status: 'pending' },
    ]);
    expect(JSON.stringify(seen)).not.toContain(ADMIN.name);
    expect(JSON.stringify(seen)).not.toContain(ADMIN.email);
  });

  it('documents 15.20: suggested wording is a replacement for an exact quote, a strike is an empty one', async () => {
    const { documentId } = await opened('Wording');
    await review.select('one million rows');
    await review.toolbar.getByRole('button', { name: 'Suggest wording' }).click();
    const suggestion = reader.page.getByRole('form', { name: 'Suggested wording' });
    await suggestion.getByRole('textbox').first().fill('two million rows');
    await suggestion.getByRole('button', { name: 'Suggest wording' }).click();
    await review.thread('two million rows').waitFor();
    await review.select('so that a slow partner never blocks the others');
    await review.toolbar.getByRole('button', { name: 'Strike' }).click();
    await reader.page
      .getByRole('form', { name: 'Strike this passage' })
      .getByRole('button', { name: 'Strike' })
      .click();
    await reader.page.locator('mark[data-struck]').first().waitFor();
    const { comments } = await desk.review(documentId);
    expect(comments.map(({ quote, replacement }) => [quote, replacement])).toEqual([
      ['so that a slow partner never blocks the others', ''],
      ['one million rows', 'two million rows'],
    ]);
  });

  it('documents 15.21: an addressed thread waits in the row of the list until it is resolved', async () => {
    const { documentId, reviewUrl } = await opened('Waiting in the list');
    await review.commentOn('the project it belongs to', 'By id or by name?');
    const { id } = await onlyComment(documentId);
    await desk.tool('document_mark_comment_addressed', { commentIds: [id] });
    const row = reader.page.getByRole('row').filter({ hasText: 'Waiting in the list' });
    await reader.page.goto(reviewUrl.replace(/\/[^/]+\/review$/, ''));
    await row.getByText('1 thread waiting for you').waitFor();
    await row.getByRole('link', { name: 'Waiting in the list' }).click();
    await review.thread('By id or by name?').getByRole('button', { name: 'Resolve' }).click();
    await until(async () => (await onlyComment(documentId)).status === 'resolved');
    await reader.page.goto(reviewUrl.replace(/\/[^/]+\/review$/, ''));
    await row.waitFor();
    expect(await row.getByText('waiting for you').count()).toBe(0);
  });

  it('documents 15.22, 15.23: a person’s reply hands an addressed thread back; an agent cannot resolve, nor touch a resolved one', async () => {
    const { documentId } = await opened('Back to the agent');
    await review.commentOn('one million rows', 'Why this limit?');
    const { id } = await onlyComment(documentId);
    await desk.tool('document_mark_comment_addressed', { commentIds: [id] });
    const card = review.thread('Why this limit?');
    await card.getByText('Addressed').waitFor();
    await card.getByRole('textbox', { name: 'Your reply' }).fill('The text does not say yet.');
    await card.getByRole('button', { name: 'Send reply' }).click();
    await card.getByText('Pending').waitFor();
    await until(async () => (await onlyComment(documentId)).thread.length === 1);
    expect(await onlyComment(documentId)).toMatchObject({
      status: 'pending',
      thread: [{ body: 'The text does not say yet.', author: 'human' }],
    });
    await card.getByRole('button', { name: 'Resolve' }).click();
    await until(async () => (await onlyComment(documentId)).status === 'resolved');
    expect(await desk.tool('document_mark_comment_addressed', { commentIds: [id] })).toMatchObject({
      addressed: [],
      skipped: [{ id, reason: 'already_resolved' }],
    });
  });

  it('documents 15.24: a reply that is too long is refused and its text is kept; a blank one cannot be sent', async () => {
    const { documentId } = await opened('Long replies');
    await review.commentOn('Each export', 'Each one?');
    const card = review.thread('Each one?');
    const answer = card.getByRole('textbox', { name: 'Your reply' });
    const send = card.getByRole('button', { name: 'Send reply' });
    await answer.fill('   ');
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    const tooLong = 'x'.repeat(65_537);
    await answer.fill(tooLong);
    await send.click();
    await card.getByRole('alert').getByText('Your text is kept.').waitFor();
    expect(await answer.inputValue()).toBe(tooLong);
    expect((await onlyComment(documentId)).thread).toEqual([]);
  });

  it('documents 15.25: a deleted thread is gone for the agent, comes back by Restore, and goes for good', async () => {
    const { documentId, reviewUrl } = await opened('Deleting');
    await review.commentOn('one million rows', 'A slip of the mouse.');
    const remove = async () => {
      const card = review.thread('A slip of the mouse.');
      await card.getByRole('button', { name: 'More about this thread' }).click();
      await reader.page.getByRole('menuitem', { name: 'Delete thread' }).click();
      await card.waitFor({ state: 'detached' });
      await until(async () => (await desk.review(documentId)).comments.length === 0);
    };
    await remove();
    await reader.page.goto(`${reviewUrl}/deleted`);
    await reader.page.getByRole('button', { name: 'Restore' }).click();
    await reader.page.getByText('Nothing deleted').waitFor();
    expect((await onlyComment(documentId)).body).toBe('A slip of the mouse.');
    await review.open(reviewUrl);
    await remove();
    await reader.page.goto(`${reviewUrl}/deleted`);
    await reader.page.getByRole('button', { name: 'Delete for good' }).click();
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await reader.page.getByText('Nothing deleted').waitFor();
    expect((await desk.review(documentId)).comments).toEqual([]);
  });

  it('documents 15.26: changes need a note or a pending thread, and the agent reads the note', async () => {
    const { documentId } = await opened('Asking for changes');
    let dialog = await review.finish('Request changes');
    const send = dialog.getByRole('button', { name: 'Request changes' });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    expect(
      (
        await desk.owner.api('POST', desk.path(documentId, '/verdicts'), {
          version: 1,
          verdict: 'changes-requested',
        })
      ).status,
    ).toBe(422);
    await dialog.getByLabel(/Note/).fill('Name the partners.');
    await send.click();
    await reader.page.getByText(/Changes requested by you/).waitFor();
    expect(await desk.review(documentId)).toMatchObject({
      verdict: 'changes-requested',
      note: 'Name the partners.',
    });
    const other = await opened('Asking by a thread');
    await review.commentOn('Each export', 'Each one?');
    dialog = await review.finish('Request changes');
    await dialog.getByRole('button', { name: 'Request changes' }).click();
    await reader.page.getByText(/Changes requested by you/).waitFor();
    expect(await desk.review(other.documentId)).toMatchObject({ verdict: 'changes-requested', note: null });
  });

  it('documents 15.27: a verdict that a revision overtook is refused, and its note waits on the new version', async () => {
    const { documentId } = await opened('Overtaken');
    const dialog = await review.finish('Approve', 'Good, with one wish.');
    await desk.revise(documentId, PLAN.replace('one million', 'two million'));
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('Version 2 arrived while you were reading.').waitFor();
    expect(await dialog.getByLabel(/Note/).inputValue()).toBe('Good, with one wish.');
    expect((await desk.review(documentId)).verdict).toBeNull();
    await dialog.getByRole('button', { name: 'Open version 2' }).click();
    await review.text.getByText('two million rows').waitFor();
    await reader.page.getByRole('button', { name: 'Finish review' }).click();
    const again = reader.page.getByRole('dialog');
    expect(await again.getByLabel(/Note/).inputValue()).toBe('Good, with one wish.');
    await again.getByRole('button', { name: 'Approve' }).click();
    await reader.page.getByText(/Approved by you/).waitFor();
    expect(await desk.review(documentId)).toMatchObject({
      version: 2,
      verdict: 'approved',
      note: 'Good, with one wish.',
    });
  });

  it('documents 15.28: only its giver withdraws a verdict; the history keeps both', async () => {
    const { documentId, reviewUrl } = await opened('Withdrawn');
    await (await review.finish('Approve')).getByRole('button', { name: 'Approve' }).click();
    const withdraw = reader.page.getByRole('button', { name: 'Withdraw verdict' });
    await withdraw.waitFor();
    const { page, context } = await desk.window(desk.member);
    const others = new ReviewPage(page);
    await others.open(reviewUrl);
    await page.getByText(`Approved by ${ADMIN.name}`).waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw verdict' }).count()).toBe(0);
    const { body } = await desk.member.api<{ verdict: { id: string } }>(
      'GET',
      desk.path(documentId, '/review'),
    );
    const refused = await desk.member.api(
      'POST',
      desk.path(documentId, `/verdicts/${body.verdict.id}/withdraw`),
    );
    expect(refused.status).toBe(403);
    await context.close();
    await withdraw.click();
    await withdraw.waitFor({ state: 'detached' });
    expect(await desk.review(documentId)).toMatchObject({ status: 'in-review', verdict: null });
    await reader.page.goto(`${reviewUrl}/history`);
    await reader.page
      .getByText(/Approved/)
      .first()
      .waitFor();
    await reader.page
      .getByText(/[Ww]ithdrawn/)
      .first()
      .waitFor();
  });

  it('documents 15.29, 15.65: a second member approves with threads open, and the verdict names that member', async () => {
    const { documentId, reviewUrl } = await opened('Open threads');
    await review.commentOn('Each export', 'Each one?');
    const { page, context } = await desk.window(desk.member);
    const others = new ReviewPage(page);
    await others.open(reviewUrl);
    await (await others.finish('Approve')).getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/Approved by you/).waitFor();
    await context.close();
    await reader.page.getByText(`Approved by ${SECOND.name}`).waitFor();
    const seen = await desk.review(documentId);
    expect(seen).toMatchObject({ status: 'approved', verdict: 'approved' });
    expect(seen.comments).toMatchObject([{ status: 'pending' }]);
  });

  it('documents 15.30: a draft can be approved from its page', async () => {
    const { documentId, status } = await opened('A draft', { draft: true });
    expect(status).toBe('draft');
    await reader.page.getByText(/This is a draft/).waitFor();
    await (await review.finish('Approve')).getByRole('button', { name: 'Approve' }).click();
    await reader.page.getByText(/Approved by you/).waitFor();
    expect(await desk.review(documentId)).toMatchObject({ status: 'approved', version: 1 });
  });

  it('documents 15.31: approvals of sections stay with untouched words, and the agent reads the same counts', async () => {
    const { documentId, reviewUrl } = await opened('Sections');
    const approve = (title: string) => reader.page.getByRole('button', { name: `Approve section ${title}` });
    for (const title of ['Summary', 'Limits']) {
      await approve(title).click();
      await reader.page.getByRole('button', { name: `Approve section ${title}`, pressed: true }).waitFor();
    }
    const counts = async () => (await desk.review(documentId)).sections.map(({ approvals }) => approvals);
    await until(async () => (await counts()).join() === '1,1');
    await desk.revise(documentId, PLAN.replace('one million', 'two million'));
    await review.open(reviewUrl);
    expect(await approve('Summary').getAttribute('aria-pressed')).toBe('true');
    expect(await approve('Limits').getAttribute('aria-pressed')).toBe('false');
    expect(await counts()).toEqual([1, 0]);
  });

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

  it('no page of these reviews ran into an error or asked another host for anything', () => {
    // Refusals are part of these walks; the browser reports them and nothing else.
    expect(reader.seen.errors.filter((error) => !/status of 4(09|22)/.test(error))).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
