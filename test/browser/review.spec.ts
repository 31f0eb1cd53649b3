import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk } from '../support/review-desk.js';
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
    await reader.page.getByRole('link', { name: /waits? for you/ }).click();
    await reader.page.getByRole('checkbox', { name: 'Waits for you', checked: true }).waitFor();
    const rows = reader.page.locator('tbody tr');
    await until(async () => {
      const texts = await rows.allTextContents();
      return texts.length > 0 && texts.every((text) => text.includes('waiting for you'));
    });
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

  it('threads stay level with their words when a banner comes above the text, and the panel stays in view', async () => {
    await opened('Level');
    await review.commentOn('a slow partner', 'Which one is it?');
    await reader.page.keyboard.press('Escape');
    const offset = () =>
      reader.page.evaluate(`(() => {
        const thread = document.querySelector('section.thread[data-card]');
        const mark = document.querySelector('mark[data-threads~="' + thread.dataset.card + '"]');
        return Math.round(thread.getBoundingClientRect().top - mark.getBoundingClientRect().top);
      })()`);
    const before = await offset();
    const dialog = await review.finish('Request changes', 'Name the partner.');
    await dialog.getByRole('button', { name: 'Request changes' }).click();
    await reader.page.getByText('Changes requested by you').waitFor();
    await until(async () => (await offset()) === before, 20_000, `The thread left its place of ${before}.`);

    await reader.page.setViewportSize({ width: 1440, height: 420 });
    await reader.page.evaluate('scrollTo({ top: 1e6, behavior: "instant" })');
    await review.side.getByRole('tab', { name: 'Details' }).click();
    const said = review.side.getByText('Search language');
    await said.waitFor();
    const box = (await said.boundingBox())!;
    expect([box.y > 0, box.y < 420]).toEqual([true, true]);
    await reader.page.setViewportSize({ width: 1440, height: 900 });
  }, 60_000);

  it('the controls in the top bar stay where they are while a dialog of the document is open', async () => {
    await opened('Controls');
    const more = reader.page.getByRole('button', { name: 'More actions' }).first();
    const before = await more.boundingBox();
    await more.click();
    await reader.page.getByRole('menuitem', { name: 'Tags' }).click();
    await reader.page.getByRole('dialog', { name: 'Tags' }).waitFor();
    expect(await more.boundingBox()).toEqual(before);
    await reader.page.keyboard.press('Escape');
  });

  it('who comes back to a document reads its newest version, and revises that one', async () => {
    const { page } = reader;
    const { documentId } = await opened('Come back');
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Revise' }).click();
    await page.getByRole('heading', { name: 'Revise to version 2', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    await desk.revise(documentId, PLAN.replace('one million rows', 'two million rows'));
    await page.getByRole('link', { name: 'Come back' }).click();
    await page.getByText('at most two million rows').waitFor();
    await page.getByRole('button', { name: 'Version 2' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('menuitem', { name: 'Revise' }).click();
    await page.getByRole('heading', { name: 'Revise to version 3', level: 1 }).waitFor();
    expect(await page.getByLabel('Markdown').inputValue()).toContain('two million rows');
    expect(await page.getByText('arrived after you began').count()).toBe(0);
  }, 60_000);

  it('no page of these reviews ran into an error or asked another host for anything', () => {
    // Refusals are part of these walks; the browser reports them and nothing else.
    expect(reader.seen.errors.filter((error) => !/status of 4(09|22)/.test(error))).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
