import { describeInBrowser } from '../support/browser.js';
import { type Filed, type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';

const FIRST = `## Summary

Exports move to a queue, so that a slow partner never blocks the others.

This paragraph will go away as a whole.

## Limits

An export holds at most one million rows.

| Name | Value |
| --- | --- |
| rows | 1000000 |
`;
const SECOND = FIRST.replace('This paragraph will go away as a whole.\n\n', '').replace(
  'one million',
  'two million',
);
const THIRD = SECOND.replace('a slow partner', 'a slow partner of ours').replace('1000000', '2000000');

describeInBrowser('comparing versions', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;
  let filed: Filed;
  const diff = (from: number, to: number, view = '') =>
    `${filed.reviewUrl}/diff/${from}/${to}${view && `?view=${view}`}`;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    reader = await desk.window();
    review = new ReviewPage(reader.page);
    filed = await desk.file('Compared', FIRST);
    await desk.revise(filed.documentId, SECOND, 'Doubles the limit.');
    await desk.revise(filed.documentId, THIRD, 'Says whose partner.');
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  const current = async () =>
    (await reader.page.locator('[data-current-change], .compare-row[data-current]').allTextContents()).join(
      ' ',
    );
  const status = () => reader.page.locator('.compare-bar').getByRole('status');

  it('documents 15.60: the rendered view marks words; j and k go from change to change', async () => {
    await review.open(diff(1, 3));
    const page = reader.page;
    await page.locator('ins', { hasText: 'two' }).first().waitFor();
    await page.locator('del', { hasText: 'one' }).first().waitFor();
    const count = Number(/\d+/.exec((await status().textContent()) ?? '')?.[0]);
    expect(count).toBeGreaterThanOrEqual(4);
    await page.keyboard.press('j');
    await status().getByText(`Change 1 of ${count}`).waitFor();
    expect(await current()).toContain('of ours never blocks');
    await page.keyboard.press('j');
    await status().getByText(`Change 2 of ${count}`).waitFor();
    expect(await current()).toContain('This paragraph will go away');
    await page.keyboard.press('k');
    await status().getByText(`Change 1 of ${count}`).waitFor();
    expect(await current()).toContain('of ours never blocks');
  });

  it('documents 15.60: words of the current version take a comment; removed ones say why not', async () => {
    await review.open(diff(1, 3));
    await review.commentOn('of ours', 'Whose?');
    const { comments } = await desk.review(filed.documentId);
    expect(comments).toMatchObject([{ quote: 'of ours', body: 'Whose?' }]);
    await review.setSelection('This paragraph will go away');
    await review.toolbar.getByText(/This text was removed/).waitFor();
    expect(await review.toolbar.getByRole('button').count()).toBe(0);
    await review.open(diff(1, 2));
    await reader.page.getByText(/Comments go to the newest version/).waitFor();
    await review.setSelection('slow partner');
    expect(await review.toolbar.count()).toBe(0);
  });

  it('documents 15.60: side by side, each block stands opposite the one it became; j and k move', async () => {
    await reader.page.goto(diff(1, 3, 'side-by-side'));
    const page = reader.page;
    await page.getByText('Removed in version 3').waitFor();
    await page.getByText('Comments are hidden in this view.').waitFor();
    await page.keyboard.press('j');
    await status()
      .getByText(/Change 1 of/)
      .waitFor();
    expect(await current()).toContain('of ours never blocks');
    await page.keyboard.press('j');
    expect(await current()).toContain('This paragraph will go away');
    await page.keyboard.press('k');
    expect(await current()).toContain('of ours never blocks');
  });

  it('documents 15.60: the Markdown view compares the sources line by line; j and k move', async () => {
    await reader.page.goto(diff(1, 3, 'markdown'));
    const page = reader.page;
    await page.getByText('An export holds at most two million rows.').waitFor();
    await page.getByText('An export holds at most one million rows.').waitFor();
    await page.keyboard.press('j');
    await status()
      .getByText(/Change 1 of/)
      .waitFor();
    expect(await current()).toContain('a slow partner of ours');
  });

  it('documents 10: the views are switched in the row above, the picker keeps the view, notes unfold, × goes back', async () => {
    const page = reader.page;
    await page.goto(diff(1, 3));
    await page.getByRole('button', { name: 'Markdown' }).click();
    await page.waitForURL('**/diff/1/3?view=markdown');
    await page.getByLabel('From version').selectOption('2');
    await page.waitForURL('**/diff/2/3?view=markdown');
    await page.getByRole('button', { name: 'Revision notes' }).click();
    await page.getByText('Says whose partner.').waitFor();
    expect(await page.getByText('Doubles the limit.').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to version 3' }).click();
    await page.waitForURL('**/review');
  });

  it('documents 15.61: the wrong order is put right, equal versions have no changes, unknown ones are not found', async () => {
    const page = reader.page;
    await page.goto(diff(3, 1));
    await page.waitForURL('**/review/diff/1/3');
    await page.goto(diff(2, 2));
    await page.getByText('No changes between these versions.').waitFor();
    expect(await page.getByRole('button', { name: /Next change/ }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await page.goto(`${filed.reviewUrl}/versions/99`);
    await page.getByRole('heading', { name: /not found|nothing/i }).waitFor();
    const { status: answer } = await desk.owner.api('GET', desk.path(filed.documentId, '/versions/99'));
    expect(answer).toBe(404);
    await page.goto(`${filed.reviewUrl}/compare?from=3&to=2`);
    await page.waitForURL('**/review/diff/2/3');
  });

  it('documents 10: no serious finding of axe in any view, and nothing wider than a window of 320 px', async () => {
    for (const view of ['', 'side-by-side', 'markdown']) {
      await reader.page.goto(diff(1, 3, view));
      await status()
        .getByText(/change/)
        .waitFor();
      expect({ view, findings: await review.seriousFindings() }).toEqual({ view, findings: [] });
    }
    const phone = await desk.window(desk.owner, { viewport: { width: 320, height: 700 } });
    const there = new ReviewPage(phone.page);
    for (const view of ['', 'side-by-side', 'markdown']) {
      await phone.page.goto(diff(1, 3, view));
      await phone.page
        .locator('.compare-bar')
        .getByRole('status')
        .getByText(/change/)
        .waitFor();
      expect({ view, wider: await there.overflow() }).toEqual({ view, wider: 0 });
      expect({ view, findings: await there.seriousFindings() }).toEqual({ view, findings: [] });
    }
    await phone.context.close();
  });

  it('no step ran into an error', () => {
    expect(reader.seen.errors.filter((error) => !/status of 404/.test(error))).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
