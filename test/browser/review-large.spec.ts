import { describeInBrowser } from '../support/browser.js';
import { type Filed, type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { until } from '../support/until.js';

const PARAGRAPH =
  'Exports move to a **queue**, so that [a slow partner](https://x.example) never blocks `others`.';

function section(n: number): string {
  return `## Section ${n}\n\nWords of part ${n} alone. ${PARAGRAPH}\n\n- One point.\n- Another point.\n\n${PARAGRAPH}`;
}

const TEXT = `# A long plan\n\n${Array.from({ length: 1_200 }, (_, n) => section(n + 1)).join('\n\n')}\n`;

/** A third of the limit: the same happens to it, and a busy machine still renders it in time. */
describeInBrowser('a long document', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;
  let filed: Filed;

  beforeAll(async () => {
    expect(Buffer.byteLength(TEXT)).toBeGreaterThan(300_000);
    desk = await ReviewDesk.start();
    reader = await desk.window();
    review = new ReviewPage(reader.page);
    filed = await desk.file('A long plan', TEXT);
    // Notes at the first frame in which the text stands on the page how much of it the browser laid out for it.
    await reader.page.addInitScript(`(() => {
      const look = () => {
        const blocks = [...document.querySelectorAll('.doc-text [data-start]')];
        if (blocks.length === 0) return requestAnimationFrame(look);
        const laidOut = (block) => block.checkVisibility({ contentVisibilityAuto: true });
        window.firstFrame = { blocks: blocks.length, laidOut: blocks.filter(laidOut).length };
      };
      requestAnimationFrame(look);
    })()`);
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  it('lays out what is on the screen for its first frame, and the whole text is there all the same', async () => {
    await review.open(filed.reviewUrl);
    const { blocks, laidOut } = (await reader.page.evaluate('window.firstFrame')) as Record<string, number>;
    expect(blocks).toBeGreaterThan(5_000);
    expect(laidOut).toBeLessThan(500);
  }, 60_000);

  it('finds words of its end in the page, and takes a comment on them', async () => {
    const { page } = reader;
    await page.evaluate('getSelection().removeAllRanges()');
    expect(await page.evaluate(`window.find('Words of part 1199 alone.')`)).toBe(true);
    await review.toolbar.getByRole('button', { name: 'Comment' }).click();
    await review.send('Which words?');
    const [comment] = (await desk.review(filed.documentId)).comments;
    expect(comment!.quote).toBe('Words of part 1199 alone.');
    expect(await review.marked(review.thread('Which words?'))).toBe('Words of part 1199 alone.');
  }, 60_000);

  it('goes from a link to a thread near its end, and from the outline to a section', async () => {
    const { page } = reader;
    const [comment] = (await desk.review(filed.documentId)).comments;
    await review.open(`${filed.reviewUrl}#thread-${comment!.id}`);
    const mark = page.locator(`mark[data-threads~="${comment!.id}"]`);
    await until(async () => inView(await mark.boundingBox()), 20_000, 'The passage is not on the screen.');
    await page.getByRole('navigation', { name: 'Outline' }).getByText('Section 700', { exact: true }).click();
    const heading = page.locator('#heading-section-700');
    await until(async () => inView(await heading.boundingBox()), 20_000, 'The section is not on the screen.');
    expect(reader.seen.errors).toEqual([]);
  }, 90_000);
});

function inView(box: { y: number; height: number } | null): boolean {
  return box !== null && box.y >= 0 && box.y + box.height <= 900;
}
