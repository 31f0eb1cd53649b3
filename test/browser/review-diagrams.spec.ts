import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';

const TEXT = `## How an export runs

\`\`\`mermaid
flowchart LR
  A[Request] --> B[Queue]
  B --> C["<script>top.pwned = 1</script>Worker"]
  click A "https://evil.example/" "Go"
  click B call top.alert(1)
\`\`\`

The queue is the middle part.

## What does not work

\`\`\`mermaid
flowchart NOWHERE
  A --
\`\`\`

The end.
`;

/** Diagrams on the review page (documents 4.7). */
describeInBrowser('diagrams on the review page', () => {
  let desk: ReviewDesk;
  let reader: Reader;
  let review: ReviewPage;
  let documentId: string;
  let reviewUrl: string;

  beforeAll(async () => {
    desk = await ReviewDesk.start();
    reader = await desk.window();
    review = new ReviewPage(reader.page);
    ({ documentId, reviewUrl } = await desk.file('Diagrams', TEXT));
  }, 120_000);

  afterAll(async () => {
    await desk?.stop();
  });

  const frame = () => reader.page.locator('iframe[title="Diagram: How an export runs"]');
  const drawn = () => frame().and(reader.page.locator('[data-drawn]'));

  it('documents 15.43: with the flag off the source is what shows, and takes a comment', async () => {
    await review.open(reviewUrl);
    await review.commentOn('B[Queue]', 'A queue of what?');
    expect(await reader.page.locator('iframe').count()).toBe(0);
    expect(await review.marked(review.thread('A queue of what?'))).toBe('B[Queue]');
  });

  it('documents 15.43: with the flag on it is drawn in a frame without rights; labels and links run nothing', async () => {
    await desk.flag('review.diagrams.enabled', true);
    await review.open(reviewUrl);
    await drawn().waitFor();
    expect(await frame().getAttribute('sandbox')).toBe('allow-scripts');
    const inside = await (await frame().elementHandle())!.contentFrame();
    await inside!.locator('svg').first().waitFor();
    expect(await inside!.locator('svg').first().textContent()).toContain('Queue');
    expect(await inside!.locator('svg script, svg a, svg foreignObject').count()).toBe(0);
    await frame().click({ position: { x: 40, y: 20 } });
    expect(reader.page.url()).toBe(reviewUrl);
    expect(await reader.page.evaluate('top.pwned')).toBeUndefined();
    const box = (await frame().boundingBox())!;
    expect(box.height).toBeGreaterThan(30);
  });

  it('documents 4.7: the source is one click away; the thread on it opens it and keeps its words', async () => {
    const source = reader.page.locator('pre[data-language=mermaid]').first();
    expect(await source.isVisible()).toBe(false);
    await reader.page.getByRole('button', { name: 'Show source' }).click();
    await source.waitFor();
    expect(await review.marked(review.thread('A queue of what?'))).toBe('B[Queue]');
    await reader.page.getByRole('button', { name: 'Hide source' }).click();
    await source.waitFor({ state: 'hidden' });
    const id = await review.thread('A queue of what?').getAttribute('data-card');
    await review.open(`${reviewUrl}#thread-${id}`);
    await drawn().waitFor();
    await source.waitFor();
    expect(await reader.page.locator('mark[data-active]').allTextContents()).toEqual(['B[Queue]']);
  });

  it('documents 15.43: a comment made on the source with the flag on keeps its place with the flag off', async () => {
    await review.commentOn('A[Request]', 'Whose request?');
    await desk.flag('review.diagrams.enabled', false);
    await review.open(reviewUrl);
    expect(await reader.page.locator('iframe').count()).toBe(0);
    expect(await review.marked(review.thread('Whose request?'))).toBe('A[Request]');
    expect((await desk.review(documentId)).comments.map(({ quote }) => quote)).toEqual([
      'A[Request]',
      'B[Queue]',
    ]);
    await desk.flag('review.diagrams.enabled', true);
  });

  it('documents 4.7: what cannot be drawn stays as its source, with one line that says why', async () => {
    await review.open(reviewUrl);
    await drawn().waitFor();
    await reader.page.getByText('The end.').scrollIntoViewIfNeeded();
    await reader.page.getByText(/could not be drawn/).waitFor();
    expect(await reader.page.locator('pre[data-language=mermaid]').nth(1).isVisible()).toBe(true);
    expect(await reader.page.locator('iframe').count()).toBe(1);
  });

  it('documents 12: a selection across a drawing takes the words on both sides and none of the drawing', async () => {
    await review.commentOn('How an export', 'Across.', 'is the middle part');
    const quote =
      (await desk.review(documentId)).comments.find(({ body }) => body === 'Across.')?.quote ?? '';
    expect(quote.startsWith('How an export runs\nflowchart LR\n')).toBe(true);
    expect(quote.endsWith('The queue is the middle part')).toBe(true);
    expect(quote).not.toContain('Show source');
  });

  it('documents 4.7: dark pages get dark drawings, and axe finds nothing serious', async () => {
    const dark = await desk.window(desk.owner, { colorScheme: 'dark' });
    const there = new ReviewPage(dark.page);
    await there.open(reviewUrl);
    await dark.page.locator('iframe[data-drawn]').first().waitFor();
    expect(await there.seriousFindings()).toEqual([]);
    await dark.context.close();
    expect(await review.seriousFindings()).toEqual([]);
  });

  it('no drawing ran into an error or asked another host for anything', () => {
    expect(reader.seen.errors).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
