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

/** Verdicts and approvals of sections, given on the page and read by the agent. */
describeInBrowser('verdicts of a person', () => {
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

  it('the page stays where it was when the bar at its foot gets the focus, and when the dialog closes', async () => {
    const { page } = reader;
    const text = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} tells of the exports.`).join('\n\n');
    const { reviewUrl } = await desk.file('A page that stays', text);
    await review.open(reviewUrl);
    await page.evaluate('scrollTo({ top: 300, behavior: "instant" })');
    const y = () => page.evaluate('scrollY');
    const button = page.getByRole('button', { name: 'Finish review' });
    await button.focus();
    expect(await y()).toBe(300);
    const box = (await button.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until(
      () => page.evaluate('document.activeElement.textContent === "Finish review"') as Promise<boolean>,
    );
    expect(await y()).toBe(300);
    // A block below the screen is brought above the bar, not behind it.
    const far = page.locator('.doc-text p', { hasText: 'Paragraph 40 ' });
    await far.evaluate((element) => {
      const block = element as unknown as { tabIndex: number; focus(): void };
      block.tabIndex = -1;
      block.focus();
    });
    const bar = (await page.getByRole('region', { name: 'Finish review' }).boundingBox())!;
    await until(async () => {
      const place = (await far.boundingBox())!;
      return place.y > 0 && place.y + place.height <= bar.y;
    });
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

  it('documents 9.4: a verdict on a page whose standing one was withdrawn meanwhile says so, and stands when sent again', async () => {
    const { documentId, reviewUrl } = await opened('Withdrawn meanwhile');
    await (await review.finish('Approve')).getByRole('button', { name: 'Approve' }).click();
    await reader.page.getByRole('button', { name: 'Withdraw verdict' }).waitFor();
    const { page, context } = await desk.window(desk.member);
    const others = new ReviewPage(page);
    await others.open(reviewUrl);
    const dialog = await others.finish('Request changes', 'Not yet.');
    await reader.page.getByRole('button', { name: 'Withdraw verdict' }).click();
    await until(async () => (await desk.review(documentId)).verdict === null);
    const send = dialog.getByRole('button', { name: 'Request changes' });
    await send.click();
    await dialog.getByText('The verdict on this page was withdrawn meanwhile.').waitFor();
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await desk.review(documentId)).toMatchObject({ verdict: 'changes-requested', note: 'Not yet.' });
    await context.close();
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

  it('no page of these reviews ran into an error or asked another host for anything', () => {
    // Refusals are part of these walks; the browser reports them and nothing else.
    expect(reader.seen.errors.filter((error) => !/status of 4(09|22)/.test(error))).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
