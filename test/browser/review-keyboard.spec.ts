import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { type Filed, type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { until } from '../support/until.js';

const TEXT = `## Summary

Exports move to a queue.

> [!NOTE]
> Running exports are lost.

- [x] A task that is done

| Name | Value |
| --- | --- |
| a | b |

\`\`\`ts
const first = 1;
const second = 2;
const third = 3;
const fourth = 4;
\`\`\`

## Decision

<!-- decision: format -->

Which format?

1. JSON (recommended: high)
2. CSV

<!-- /decision -->
`;

/** Everything that takes input, without a mouse: focus moves by keys alone (documents 15.32). */
describeInBrowser('reviewing by keyboard alone', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;
  let page: Page;
  let filed: Filed;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    reader = await desk.window();
    page = reader.page;
    review = new ReviewPage(page);
    filed = await desk.file('By keyboard', TEXT);
    await review.open(filed.reviewUrl);
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** What holds the focus, as a screen reader would name it. */
  const focused = async () =>
    (await page.evaluate(`(() => {
      const at = document.activeElement;
      return at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent.trim();
    })()`)) as string;
  /** Presses Tab (or another key) until the focus is on what the name says. */
  const tabTo = async (name: RegExp, key = 'Tab') => {
    for (let tries = 0; tries < 80; tries += 1) {
      await press(key);
      if (name.test(await focused())) return;
    }
    throw new Error(`${key} never led to ${name}; the focus is on “${await focused()}”.`);
  };
  /** Goes into the text and down to the block that begins so. */
  const toBlock = async (words: string) => {
    await page.evaluate('document.activeElement.blur()');
    for (let tries = 0; tries < 80; tries += 1) {
      await press('Tab');
      if (await page.evaluate("document.activeElement.matches('.doc-text [data-start]')")) break;
    }
    await press('Home');
    for (let tries = 0; tries < 40; tries += 1) {
      if ((await focused()).includes(words)) return;
      await press('ArrowDown');
    }
    throw new Error(`No block begins with “${words}”.`);
  };
  const comments = async () => (await desk.review(filed.documentId)).comments;

  it('documents 15.32 for 19: a block is commented on by its button; Ctrl and Enter send', async () => {
    await toBlock('Exports move');
    await tabTo(/^Comment on this block$/);
    await press('Enter');
    await page.getByRole('form', { name: 'New comment' }).waitFor();
    await page.keyboard.type('Which queue?');
    await press('Control+Enter');
    await review.thread('Which queue?').waitFor();
    expect(await comments()).toMatchObject([{ quote: 'Exports move to a queue.', body: 'Which queue?' }]);
  });

  it('documents 9.3: Escape closes the form, keeps its text, and leads back to the block', async () => {
    await toBlock('Running exports');
    await press('c');
    await page.getByRole('form', { name: 'New comment' }).waitFor();
    await page.keyboard.type('Not yet');
    await press('Escape');
    expect(await focused()).toContain('Running exports are lost.');
    await press('c');
    const box = page.getByRole('form', { name: 'New comment' }).getByRole('textbox');
    expect(await box.inputValue()).toBe('Not yet');
    await page.keyboard.type(', but soon.');
    await press('Control+Enter');
    await review.thread('Not yet, but soon.').waitFor();
  });

  it('documents 15.32 for 20: other wording for a block, by key', async () => {
    await toBlock('A task that is done');
    await press('s');
    await page.getByRole('form', { name: 'Suggested wording' }).waitFor();
    await press('Control+a');
    await page.keyboard.type('A task that was done');
    await press('Control+Enter');
    await review.thread('A task that was done').waitFor();
    expect((await comments()).find(({ replacement }) => replacement !== null)).toMatchObject({
      quote: 'A task that is done',
      replacement: 'A task that was done',
    });
  });

  it('documents 15.32 for 20: words selected by keys are struck from the toolbar', async () => {
    // Browsers select by keys from a caret; this is the selection that Shift and the arrow keys make.
    await review.setSelection('Running');
    await review.toolbar.waitFor();
    for (let tries = 0; tries < 120 && (await focused()) !== 'Strike'; tries += 1) await press('Tab');
    await press('Enter');
    await page.getByRole('form', { name: 'Strike this passage' }).waitFor();
    await press('Control+Enter');
    await page.locator('mark[data-struck]').waitFor();
  });

  it('documents 15.32 for 21, 22, 25: j goes from thread to thread; reply, resolve and delete follow by Tab', async () => {
    await page.evaluate('document.activeElement.blur()');
    await press('j');
    for (let tries = 0; tries < 6 && !(await focused()).includes('Exports move to a queue'); tries += 1) {
      await press('j');
    }
    await tabTo(/^Your reply/);
    await page.keyboard.type('The one in the database.');
    await press('Control+Enter');
    await until(async () => (await comments()).some(({ thread }) => thread.length === 1));
    await tabTo(/^Resolve$/);
    await press('Enter');
    await until(async () => (await comments()).some(({ status }) => status === 'resolved'));
    await page.evaluate('document.activeElement.blur()');
    await press('j');
    await tabTo(/^More about this thread$/);
    await press('Enter');
    // The menu takes the focus a moment after it is drawn; keys before that would go to the page.
    await page.locator('[role=menu]:focus-within').waitFor();
    const before = (await comments()).length;
    await press('End');
    // Menus move the focus a moment after the key; a second key before that would act on the entry before.
    await until(async () => (await focused()) === 'Delete thread');
    await press('Enter');
    await until(async () => (await comments()).length === before - 1);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await tabTo(/^Undo$/);
    await press('Enter');
    await until(async () => (await comments()).length === before);
  });

  it('documents 15.32 for 31 and 34: a section is approved by its button, an option is chosen by arrow keys', async () => {
    await page.evaluate('document.activeElement.blur()');
    await tabTo(/^Approve section Summary/);
    await press('Space');
    const section = async () => (await desk.review(filed.documentId)).sections[0]?.approvals;
    await until(async () => (await section()) === 1);
    await tabTo(/JSON/);
    await press('ArrowDown');
    await until(
      async () => (await desk.review(filed.documentId)).decisions[0]?.selected === 'CSV',
      5_000,
      'The choice was not saved.',
    );
  });

  it('documents 9.3: the side tabs are a tab list: arrows, Home and End', async () => {
    await page.evaluate('document.activeElement.blur()');
    for (let tries = 0; tries < 120; tries += 1) {
      await press('Tab');
      if (await page.evaluate("document.activeElement.getAttribute('role') === 'tab'")) break;
    }
    const selected = () => page.getByRole('tab', { selected: true }).textContent();
    await press('End');
    expect(await selected()).toContain('Details');
    await press('ArrowLeft');
    expect(await selected()).toContain('Decisions');
    await press('Home');
    expect(await selected()).toContain('Comments');
  });

  it('documents 15.32 for 26 to 29: the verdict is given by keys, and withdrawn', async () => {
    await page.evaluate('document.activeElement.blur()');
    await press('f');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await until(async () => /Approve|Request changes/.test(await focused()));
    if (!(await focused()).startsWith('Approve')) await press('ArrowUp');
    else await press('Space');
    expect(await dialog.getByRole('radio', { name: 'Approve' }).isChecked()).toBe(true);
    await tabTo(/^Note/);
    await page.keyboard.type('By hand, without a mouse.');
    await press('Control+Enter');
    if (await dialog.isVisible()) {
      await tabTo(/^Approve$/);
      await press('Enter');
    }
    await page.getByText(/Approved by you/).waitFor();
    expect(await desk.review(filed.documentId)).toMatchObject({
      verdict: 'approved',
      note: 'By hand, without a mouse.',
    });
    await dialog.waitFor({ state: 'detached' });
    await tabTo(/^Withdraw verdict$/);
    await press('Enter');
    await until(async () => (await desk.review(filed.documentId)).verdict === null);
  });

  it('documents 15.32: no serious finding of axe with threads, a form, a dialog and an answer on the page', async () => {
    await review.open(filed.reviewUrl);
    await review.thread('Not yet, but soon.').waitFor();
    expect(await review.seriousFindings()).toEqual([]);
    await review.setSelection('Exports move');
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await page.getByRole('form', { name: 'New comment' }).waitFor();
    expect(await review.seriousFindings()).toEqual([]);
    await page.getByRole('form', { name: 'New comment' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Finish review' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await review.seriousFindings()).toEqual([]);
  });

  it('documents 9.3: at 320 px, also with letters twice as large, nothing is wider than the window, and axe finds nothing serious, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = await desk.window(desk.owner, { viewport: { width: 320, height: 700 }, colorScheme });
      const there = new ReviewPage(phone.page);
      await there.open(filed.reviewUrl);
      await there.thread('Not yet, but soon.').waitFor();
      expect(await there.overflow()).toBe(0);
      expect(await there.seriousFindings()).toEqual([]);
      const clipped = await phone.page.evaluate(`(() => {
        const bar = document.querySelector('.topbar');
        return [...bar.querySelectorAll('*')].filter((one) => one.getClientRects().length > 0)
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80));
      })()`);
      expect(clipped).toEqual([]);
      await phone.page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect(await there.overflow()).toBe(0);
      await phone.context.close();
    }
  });

  it('no step ran into an error', () => {
    expect(reader.seen.errors).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
