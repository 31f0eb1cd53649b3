import { describeInBrowser } from '../support/browser.js';
import { type Reader, ReviewDesk } from '../support/review-desk.js';
import { ReviewPage } from '../support/review-page.js';
import { until } from '../support/until.js';

const SINGLE = `## D1: Export format

**Decision needed:** which format the export has. I recommend option 1.

<!-- decision: export-format -->

Which format does the export have?

1. One JSON file for each project (recommended: moderate)
2. One CSV file for each table

<!-- /decision -->
`;

const MULTIPLE = `Which channels?

<!-- decision: channels -->

- [ ] Mail
- [x] Chat
- [ ] Pager

<!-- /decision -->
`;

interface Answer {
  readonly selected: string | null;
  readonly selected_index: number | null;
  readonly selections: readonly { readonly option: string }[];
  readonly note: string | null;
  readonly updated_at: string | null;
}

describeInBrowser('decisions on the review page', () => {
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

  const answer = async (documentId: string) =>
    (await desk.review(documentId)).decisions[0] as unknown as Answer;
  const untilAnswer = async (documentId: string, test: (now: Answer) => boolean) => {
    await until(async () => test(await answer(documentId)), 5_000, 'The answer did not come to the agent.');
    return answer(documentId);
  };

  it('documents 15.34: two radio buttons, a badge on the first, no markers; a click is the answer, without a save button', async () => {
    const { documentId, reviewUrl } = await desk.file('One of two', SINGLE);
    await review.open(reviewUrl);
    const block = reader.page.getByRole('group', { name: /Which format does the export have\?/ });
    const options = block.getByRole('radio');
    expect(await options.count()).toBe(2);
    expect(await block.getByRole('img', { name: /Recommended, moderate/ }).count()).toBe(1);
    expect(await review.text.textContent()).not.toMatch(/<!--|decision:|recommended: moderate/);
    await options.nth(1).check();
    const given = await untilAnswer(documentId, ({ selected }) => selected !== null);
    expect(given).toMatchObject({ selected: 'One CSV file for each table', selected_index: 1 });
    expect(given.updated_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    await block.getByText('Answered', { exact: true }).waitFor();
  });

  it('documents 15.35: task options are checkboxes; the agent reads the picks and no single one', async () => {
    const { documentId, reviewUrl } = await desk.file('Some of three', MULTIPLE);
    await review.open(reviewUrl);
    const boxes = review.text.getByRole('checkbox');
    expect(await boxes.count()).toBe(3);
    expect(await review.text.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await boxes.nth(0).check();
    await untilAnswer(documentId, ({ selections }) => selections.length === 1);
    await boxes.nth(2).check();
    const given = await untilAnswer(documentId, ({ selections }) => selections.length === 2);
    expect(given.selections.map(({ option }) => option)).toEqual(['Mail', 'Pager']);
    expect(given).toMatchObject({ selected: null, selected_index: null });
  });

  it('documents 15.36: a note alone is an answer, and Clear keeps it', async () => {
    const { documentId, reviewUrl } = await desk.file('A note', SINGLE);
    await review.open(reviewUrl);
    await review.text.getByRole('button', { name: 'Add a note' }).click();
    await review.text.getByRole('textbox', { name: /Note/ }).fill('Neither convinces me yet.');
    expect(await untilAnswer(documentId, ({ note }) => note !== null)).toMatchObject({
      selected: null,
      selections: [],
      note: 'Neither convinces me yet.',
    });
    await review.text.getByRole('radio').first().check();
    await untilAnswer(documentId, ({ selected_index }) => selected_index === 0);
    await review.text.getByRole('button', { name: 'Clear' }).click();
    expect(await untilAnswer(documentId, ({ selected }) => selected === null)).toMatchObject({
      selections: [],
      note: 'Neither convinces me yet.',
    });
  });

  it('documents 15.37: an answer follows its words to their new place; when they are gone the page says what was chosen', async () => {
    const { documentId, reviewUrl } = await desk.file('Moved options', SINGLE);
    await review.open(reviewUrl);
    await review.text.getByRole('radio').nth(1).check();
    await untilAnswer(documentId, ({ selected_index }) => selected_index === 1);
    const turned = SINGLE.replace(
      /1\. (.*)\n2\. (.*)\n/,
      '1. $2\n2. One JSON file for each project (recommended: moderate)\n',
    );
    await desk.revise(documentId, turned);
    await review.open(reviewUrl);
    expect(await review.text.getByRole('radio').first().isChecked()).toBe(true);
    expect((await answer(documentId)).selected_index).toBe(0);
    await desk.revise(documentId, turned.replace('One CSV file for each table', 'One CSV file in all'));
    await review.open(reviewUrl);
    await review.text.getByText(/You chose: One CSV file for each table \(version 1\)/).waitFor();
    expect(await review.text.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await answer(documentId)).toMatchObject({
      selected: 'One CSV file for each table',
      selected_index: null,
    });
  });

  it('issue 3: two people answer at once; the last one stands in both windows', async () => {
    const { documentId, reviewUrl } = await desk.file('Two at once', SINGLE);
    const second = await desk.window(desk.member);
    const other = new ReviewPage(second.page);
    await Promise.all([review.open(reviewUrl), other.open(reviewUrl)]);
    await Promise.all([
      review.text.getByRole('radio').nth(0).click(),
      other.text.getByRole('radio').nth(1).click(),
    ]);
    // Both clicks are saved; whichever came last is what everybody sees.
    await until(
      async () => {
        const { selected_index } = await answer(documentId);
        const shown = await Promise.all(
          [review, other].map((each) =>
            each.text
              .getByRole('radio')
              .nth(selected_index ?? 0)
              .isChecked(),
          ),
        );
        return selected_index !== null && shown.every(Boolean);
      },
      8_000,
      'The two windows did not come to the same answer.',
    );
    expect((await answer(documentId)).selections).toHaveLength(1);
    await second.context.close();
  });

  it('no step ran into an error', () => {
    expect(reader.seen.errors).toEqual([]);
    expect(reader.seen.foreign).toEqual([]);
  });
});
