import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk, SECOND } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { ADMIN } from '../support/settled-server.js';
import { until } from '../support/until.js';

const PLAN = `## Summary

Exports move to a queue, so that a slow partner never blocks the others.

## Limits

An export holds at most one million rows.
`;

/** Two people and an agent in one review (documents 15.33; issue 3, "Two at once"). */
describeInBrowser('several in one review', () => {
  let desk: ReviewDesk;
  let ada: Reader;
  let bo: Reader;
  let hers: ReviewPage;
  let his: ReviewPage;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    ada = await desk.window();
    bo = await desk.window(desk.member);
    hers = new ReviewPage(ada.page);
    his = new ReviewPage(bo.page);
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  const bothOpen = async (title: string) => {
    const filed = await desk.file(title, PLAN);
    await Promise.all([hers.open(filed.reviewUrl), his.open(filed.reviewUrl)]);
    return filed;
  };
  const comments = async (documentId: string) => (await desk.review(documentId)).comments;

  it('documents 15.33: a comment made in one browser appears in the other without a reload', async () => {
    await bothOpen('Seen by the other');
    await hers.commentOn('a slow partner', 'Which one?');
    await his.thread('Which one?').waitFor();
    expect(await his.marked(his.thread('Which one?'))).toBe('a slow partner');
    await his.thread('Which one?').getByRole('button', { name: 'Resolve' }).click();
    await hers.thread('Which one?').waitFor({ state: 'detached' });
    await ada.page.getByRole('button', { name: /^Resolved 1/ }).waitFor();
  });

  it('documents 15.33: a new version shows a banner and leaves the text alone; an unsent comment outlives it', async () => {
    const { documentId } = await bothOpen('A new version');
    await hers.select('one million rows');
    await hers.toolbar.getByRole('button', { name: 'Comment' }).click();
    const box = ada.page.getByRole('form', { name: 'New comment' }).getByRole('textbox');
    await box.fill('Half a thought');
    await desk.revise(documentId, PLAN.replace('a queue', 'two queues'));
    await ada.page.getByText('Version 2 arrived. You are still reading version 1.').waitFor();
    expect(await hers.text.textContent()).toContain('Exports move to a queue');
    expect(await box.inputValue()).toBe('Half a thought');
    await ada.page.getByRole('button', { name: 'Open', exact: true }).click();
    await hers.text.getByText('Exports move to two queues').waitFor();
    await ada.page.getByText('Half a thought').waitFor();
    await ada.page.getByRole('button', { name: 'Go on writing' }).click();
    await box.press('End');
    await box.pressSequentially(', now whole.');
    await box.press('Control+Enter');
    await hers.thread('Half a thought, now whole.').waitFor();
    expect(await comments(documentId)).toMatchObject([
      { quote: 'one million rows', body: 'Half a thought, now whole.' },
    ]);
  });

  it('documents 9.3: an unsent comment, a reply and the note of a verdict survive a reload of the tab', async () => {
    const { reviewUrl } = await bothOpen('A reload');
    await hers.commentOn('Exports move', 'To be replied to.');
    await hers.thread('To be replied to.').getByRole('textbox', { name: 'Your reply' }).fill('Half a reply');
    const dialog = await hers.finish('Request changes', 'Half a note');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await hers.select('one million rows');
    await hers.toolbar.getByRole('button', { name: 'Comment' }).click();
    await ada.page.getByRole('form', { name: 'New comment' }).getByRole('textbox').fill('Half a comment');
    await hers.open(reviewUrl);
    await ada.page.getByText('Half a comment').waitFor();
    const card = hers.thread('To be replied to.');
    await card.getByRole('button', { name: 'Go on writing' }).click();
    expect(await card.getByRole('textbox', { name: 'Your reply' }).inputValue()).toBe('Half a reply');
    await ada.page.getByRole('button', { name: 'Finish review' }).click();
    expect(await ada.page.getByRole('dialog').getByLabel(/Note/).inputValue()).toBe('Half a note');
  });

  it('issue 3: a comment written on version 1 after version 2 came is accepted and carried', async () => {
    const { documentId } = await bothOpen('Written on the old one');
    await his.select('one million rows');
    await his.toolbar.getByRole('button', { name: 'Comment' }).click();
    await desk.revise(documentId, `A new beginning.\n\n${PLAN}`);
    await bo.page.getByText('Version 2 arrived.').first().waitFor();
    const form = bo.page.getByRole('form', { name: 'New comment' });
    await form.getByRole('textbox').fill('Why this limit?');
    await form.getByRole('button', { name: 'Comment' }).click();
    await bo.page.getByText('Sent, and carried to version 2.').waitFor();
    expect(await comments(documentId)).toMatchObject([
      { quote: 'one million rows', body: 'Why this limit?', orphaned: false },
    ]);
  });

  it('issue 3: when version 2 no longer holds the words, the text of the comment is kept and finds new ones', async () => {
    const { documentId } = await bothOpen('Words that went');
    await his.select('one million rows');
    await his.toolbar.getByRole('button', { name: 'Comment' }).click();
    await desk.revise(documentId, '## Limits\n\nThere is none any more.\n', 'Drops the limit.');
    await bo.page.getByText('Version 2 arrived.').first().waitFor();
    const form = bo.page.getByRole('form', { name: 'New comment' });
    await form.getByRole('textbox').fill('Why this limit?');
    await form.getByRole('button', { name: 'Comment' }).click();
    await form
      .getByRole('alert')
      .getByText(/Your text is kept/)
      .waitFor();
    await bo.page.getByRole('button', { name: 'Open', exact: true }).click();
    await his.text.getByText('There is none any more.').waitFor();
    await bo.page.getByRole('button', { name: 'Go on writing' }).click();
    await form.getByText('These words are gone in the version on the page.').waitFor();
    expect(await form.getByRole('textbox').inputValue()).toBe('Why this limit?');
    await his.setSelection('none any more');
    await form.getByRole('button', { name: 'Attach to selection' }).click();
    await form.getByRole('button', { name: 'Comment', exact: true }).click();
    await his.thread('Why this limit?').waitFor();
    expect(await comments(documentId)).toMatchObject([{ quote: 'none any more', body: 'Why this limit?' }]);
  });

  it('issue 3: two people reply at once, and both replies are there', async () => {
    const { documentId } = await bothOpen('Two replies');
    await hers.commentOn('a slow partner', 'Which one?');
    await his.thread('Which one?').waitFor();
    await his.thread('Which one?').getByRole('button', { name: 'Reply' }).click();
    const reply = async (page: ReviewPage, text: string) => {
      await page.thread('Which one?').getByRole('textbox', { name: 'Your reply' }).fill(text);
      return page.thread('Which one?').getByRole('button', { name: 'Send reply' });
    };
    const [one, two] = [await reply(hers, 'The northern one.'), await reply(his, 'All of them.')];
    await Promise.all([one.click(), two.click()]);
    for (const page of [hers, his]) {
      await page.thread('The northern one.').waitFor();
      await page.thread('All of them.').waitFor();
    }
    const [thread] = await comments(documentId);
    expect(thread!.thread.map(({ body }) => body).sort()).toEqual(['All of them.', 'The northern one.']);
  });

  it('issue 3: one resolves while the other replies: the reply is there, whichever came first', async () => {
    const { documentId } = await bothOpen('Resolved meanwhile');
    await hers.commentOn('a slow partner', 'Which one?');
    await his.thread('Which one?').getByRole('button', { name: 'Reply' }).click();
    await his.thread('Which one?').getByRole('textbox', { name: 'Your reply' }).fill('Wait, one more thing.');
    await Promise.all([
      hers.thread('Which one?').getByRole('button', { name: 'Resolve' }).click(),
      his.thread('Which one?').getByRole('button', { name: 'Send reply' }).click(),
    ]);
    await until(async () => {
      const [thread] = await comments(documentId);
      return thread!.status === 'resolved' && thread!.thread.length === 1;
    });
    await bo.page.getByRole('button', { name: /^Resolved 1/ }).click();
    await his.thread('Wait, one more thing.').waitFor();
  });

  it('issue 3: an agent revises while a reply is being written: the reply goes to the copy, and nothing is lost', async () => {
    const { documentId } = await bothOpen('Revised meanwhile');
    await hers.commentOn('a slow partner', 'Which one?');
    const answer = hers.thread('Which one?').getByRole('textbox', { name: 'Your reply' });
    await answer.fill('The northern one.');
    await desk.revise(documentId, `A new beginning.\n\n${PLAN}`);
    await ada.page.getByText('Version 2 arrived.').first().waitFor();
    await hers.thread('Which one?').getByRole('button', { name: 'Send reply' }).click();
    await hers
      .thread('Which one?')
      .getByRole('alert')
      .getByText(/Your text is kept/)
      .waitFor();
    expect(await answer.inputValue()).toBe('The northern one.');
    await ada.page.getByRole('button', { name: 'Open', exact: true }).click();
    await hers.text.getByText('A new beginning.').waitFor();
    const card = hers.thread('Which one?');
    await card.getByRole('button', { name: 'Go on writing' }).click();
    expect(await answer.inputValue()).toBe('The northern one.');
    await card.getByRole('button', { name: 'Send reply' }).click();
    await until(async () => (await comments(documentId))[0]?.thread.length === 1);
  });

  it('issue 3: two verdicts at once: one is refused with the other one shown, and stands when it is sent again', async () => {
    const { documentId } = await bothOpen('Two verdicts');
    const approve = await hers.finish('Approve', 'Fine by me.');
    const changes = await his.finish('Request changes', 'Name the partners.');
    await Promise.all([
      approve.getByRole('button', { name: 'Approve' }).click(),
      changes.getByRole('button', { name: 'Request changes' }).click(),
    ]);
    await until(
      async () => (await approve.count()) + (await changes.count()) === 1,
      8_000,
      'Not exactly one verdict was taken.',
    );
    const approvedFirst = (await approve.count()) === 0;
    const late = approvedFirst ? changes : approve;
    await late
      .getByText(approvedFirst ? /approved meanwhile: “Fine by me.”/ : /asked for changes meanwhile/)
      .waitFor();
    expect(await late.getByLabel(/Note/).inputValue()).toBe(
      approvedFirst ? 'Name the partners.' : 'Fine by me.',
    );
    await late.getByRole('button', { name: approvedFirst ? 'Request changes' : 'Approve' }).click();
    await late.waitFor({ state: 'detached' });
    const standing = approvedFirst ? `Changes requested by ${SECOND.name}` : `Approved by ${ADMIN.name}`;
    await (approvedFirst ? ada : bo).page.getByText(standing).waitFor();
    expect(await desk.review(documentId)).toMatchObject({
      verdict: approvedFirst ? 'changes-requested' : 'approved',
      note: approvedFirst ? 'Name the partners.' : 'Fine by me.',
    });
  });

  it('no step ran into an error', () => {
    for (const { seen } of [ada, bo]) {
      expect(seen.errors.filter((error) => !/status of 409/.test(error))).toEqual([]);
      expect(seen.foreign).toEqual([]);
    }
  });
});
