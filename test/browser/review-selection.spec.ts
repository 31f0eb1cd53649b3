import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { until } from '../support/until.js';

const TEXT = `The first paragraph ends with a plum.

The second paragraph begins with a pear.

- The first item holds a fig.
- The second item holds a date.

> [!WARNING]
> Running exports are lost at the switch.

| Name | Value |
| --- | --- |
| \`a \\| b\` | an apple |
| plain | a quince |

\`\`\`ts
const first = 1;
const second = first + 1;
\`\`\`

A family 👨‍👩‍👧‍👦 and a flag 🇮🇸 stand here, and caf\u0065\u0301 too.

النص العربي مع Loupe في الوسط.

The same sentence stands here twice. The same sentence stands here twice.

See [the whole guide](https://guide.example/start) first.

- [x] A task that is done
`;

/** What a reader drags the mouse over, and the quote that the agent gets for it (issue 3, "Anchors"). */
describeInBrowser('selecting words in the rendered text', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;
  let documentId: string;
  let count = 0;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    reader = await desk.window();
    review = new ReviewPage(reader.page);
    const filed = await desk.file('Inputs that broke others', TEXT);
    documentId = filed.documentId;
    await review.open(filed.reviewUrl);
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  /** Comments on what the mouse covers. @returns the quote the agent reads, and the words that are marked */
  const quoteOf = async (from: string, to?: string) => {
    count += 1;
    const body = `Selection ${count}.`;
    await review.commentOn(from, body, to);
    const { comments } = await desk.review(documentId);
    const quote = comments.find((one) => one.body === body)?.quote;
    return { quote, marked: await review.marked(review.thread(body)) };
  };

  it('across two paragraphs: the quote has both, and both are marked', async () => {
    expect(await quoteOf('ends with a plum.', 'The second paragraph')).toEqual({
      quote: 'ends with a plum.\nThe second paragraph',
      marked: 'ends with a plum.|The second paragraph',
    });
  });

  it('across two list items', async () => {
    expect(await quoteOf('holds a fig.', 'The second item')).toEqual({
      quote: 'holds a fig.\nThe second item',
      marked: 'holds a fig.|The second item',
    });
  });

  it('from the icon of an alert through its title into its text: icon and title carry no anchor', async () => {
    const icon = (await reader.page.locator('.callout__icon').boundingBox())!;
    const text = (await reader.page.getByText('Running exports are lost').boundingBox())!;
    await reader.page.mouse.move(icon.x + 1, icon.y + icon.height / 2);
    await reader.page.mouse.down();
    await reader.page.mouse.move(text.x + text.width / 2, text.y + text.height + 2, { steps: 4 });
    await reader.page.mouse.up();
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await review.send('From the icon.');
    const { comments } = await desk.review(documentId);
    const quote = comments.find(({ body }) => body === 'From the icon.')?.quote ?? '';
    expect('Running exports are lost at the switch.'.startsWith(quote)).toBe(true);
    expect(quote.length).toBeGreaterThan(4);
    expect(await review.marked(review.thread('From the icon.'))).not.toContain('Warning');
  });

  it('inside a table cell, also one that holds a pipe in code', async () => {
    expect(await quoteOf('an apple')).toEqual({ quote: 'an apple', marked: 'an apple' });
    expect(await quoteOf('a | b')).toEqual({ quote: 'a | b', marked: 'a | b' });
  });

  it('across two cells: the quote parts them by a tab, and the marks do not break the table', async () => {
    const { quote } = await quoteOf('plain', 'a quince');
    expect(quote).toBe('plain\ta quince');
    expect(
      await reader.page.evaluate("document.querySelectorAll('.doc-text tr > :not(td, th)').length"),
    ).toBe(0);
  });

  it('inside a code block, also after it has been coloured', async () => {
    await until(
      async () => (await reader.page.locator('pre[data-language=ts] [class^="tok-"]').count()) > 0,
      10_000,
      'The code was not coloured.',
    );
    const { quote, marked } = await quoteOf('first = 1;', 'const second');
    expect(quote).toBe('first = 1;\nconst second');
    expect(marked.replaceAll('|', '')).toBe('first = 1;\nconst second');
  });

  it('a boundary inside a family emoji, a flag or a letter with a combining mark takes the whole of it', async () => {
    expect((await quoteOf('👧‍👦 and a flag', '🇮🇸 stand')).quote).toBe('👨‍👩‍👧‍👦 and a flag 🇮🇸 stand');
    expect((await quoteOf('\u0301 too')).quote).toBe('caf\u0065\u0301 too');
  });

  it('an English product name inside of Arabic', async () => {
    expect(await quoteOf('Loupe')).toEqual({ quote: 'Loupe', marked: 'Loupe' });
  });

  it('inside a link: the link stays one, and the thread gets a button of its own behind it', async () => {
    await review.setSelection('whole guide');
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await review.send('In the link.');
    expect(await review.marked(review.thread('In the link.'))).toBe('whole guide');
    expect(await reader.page.locator('a button, a [role=button]').count()).toBe(0);
    await reader.page.locator('.passage-flag').waitFor();
  });

  it('nested and overlapping comments each keep their words', async () => {
    await review.commentOn('sentence stands here', 'The inner one.');
    await review.commentOn('The same sentence stands', 'The overlapping one.');
    expect((await review.marked(review.thread('The inner one.'))).replaceAll('|', '')).toBe(
      'sentence stands here',
    );
    expect((await review.marked(review.thread('The overlapping one.'))).replaceAll('|', '')).toBe(
      'The same sentence stands',
    );
  });

  it('a blank selection and one of text without anchor offer no comment, and say why', async () => {
    await review.setSelection(' ');
    await review.toolbar.getByText('Select some words of the text first.').waitFor();
    expect(await review.toolbar.getByRole('button').count()).toBe(0);
    await reader.page.evaluate(`(() => {
      const glyph = document.querySelector('.task__glyph');
      const range = document.createRange();
      range.selectNode(glyph);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    })()`);
    await review.toolbar.getByText(/carry no comment/).waitFor();
    expect(await review.toolbar.getByRole('button').count()).toBe(0);
    const { status, body } = await desk.owner.api<{ error: string }>(
      'POST',
      desk.path(documentId, '/comments'),
      { version: 1, anchor: { quote: ' \n ', start: 37 }, body: 'On nothing.' },
    );
    expect([status, body.error]).toEqual([422, 'blank']);
  });

  it('the same sentence twice: two comments stay apart, also after words were put before both', async () => {
    const twice =
      'Nothing before.\n\nRetry after one minute. Then stop.\n\nRetry after one minute. Then report.\n';
    const filed = await desk.file('Twice the same', twice);
    await review.open(filed.reviewUrl);
    await review.commentOn('Retry after one minute. Then stop', 'The first place.', 'Retry after one minute');
    await review.setSelection('Retry after one minute', 'last');
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await review.send('The second place.');
    await desk.revise(
      filed.documentId,
      `Retry after one minute, says the new beginning.\n\n${twice}`,
      'A beginning that says the same.',
    );
    await review.open(filed.reviewUrl);
    const after = async (body: string) => {
      const id = await review.thread(body).getAttribute('data-card');
      return reader.page.evaluate(
        `document.querySelector('mark[data-threads~="${id}"]').nextSibling.textContent`,
      );
    };
    expect(await after('The first place.')).toBe('. Then stop.');
    expect(await after('The second place.')).toBe('. Then report.');
  });

  it('in a long text: a selection from one group of blocks into the next, and j brings far threads into view', async () => {
    const long = Array.from(
      { length: 1_500 },
      (_, at) => `Paragraph ${at} of a text so long that most of it is left out until it is near.\n\n`,
    ).join('');
    const filed = await desk.file('A long text', long);
    await review.open(filed.reviewUrl);
    const chunks = reader.page.locator('.doc-chunk');
    expect(await chunks.count()).toBeGreaterThan(20);
    const last = /Paragraph \d+ of/.exec((await chunks.nth(1).locator('p').last().textContent())!)![0];
    const next = /Paragraph \d+ of/.exec((await chunks.nth(2).locator('p').first().textContent())!)![0];
    await review.setSelection(last);
    await review.toolbar.waitFor();
    // A press on selected words would drag them.
    await reader.page.evaluate('getSelection().removeAllRanges()');
    await review.toolbar.waitFor({ state: 'detached' });
    await review.commentOn(last, 'From group to group.', next);
    await review.setSelection('Paragraph 1400 of');
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await review.send('Far below.');
    const { comments } = await desk.review(filed.documentId);
    expect(comments[0]!.quote).toMatch(new RegExp(`^${last}.*\\n${next}$`, 's'));
    await review.open(filed.reviewUrl);
    for (const words of [last, 'Paragraph 1400 of']) {
      await reader.page.keyboard.press('j');
      const mark = reader.page.locator('mark[data-active]').first();
      await until(async () => ((await mark.textContent().catch(() => '')) ?? '').startsWith(words));
      await until(async () => {
        const box = await mark.boundingBox();
        return box !== null && box.y > 0 && box.y < 900;
      });
    }
  });

  it('no step ran into an error', () => {
    expect(reader.seen.errors).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
