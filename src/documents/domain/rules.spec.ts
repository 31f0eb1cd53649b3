import { Problems } from '#libs/kernel/errors.js';
import { resolveSelections, select } from './decisions.js';
import { readSeriesChange, readSeriesPlace, readTags } from './labels.js';
import { wholeWords } from './quote.js';
import { droppedSections } from './sections.js';
import { readBody, readDescription, readTitle } from './texts.js';
import { requireReason, requireWithdrawable, standing, type Verdict } from './verdict.js';

const AT = new Date('2026-01-05T09:00:00.000Z');
const options = (...labels: string[]) => labels.map((label) => ({ label, recommended: null }));

function problemsOf(work: (problems: Problems) => void): string {
  const problems = new Problems();
  work(problems);
  try {
    problems.throwIfAny();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('answers of decisions', () => {
  const stored = (optionLabel: string, optionIndex: number) => ({
    optionLabel,
    optionIndex,
    answeredAt: AT.toISOString(),
    answeredAtVersion: 1,
  });

  test.each([
    ['the label wins over the index', stored('B', 0), ['A', 'B'], 1],
    ['a label that is gone has no index', stored('B', 1), ['A', 'C'], null],
    ['the index breaks a tie of labels', stored('A', 1), ['A', 'A'], 1],
    ['a tie that the index does not break has none', stored('A', 2), ['A', 'A', 'B'], null],
  ])('%s', (_, selection, labels, index) => {
    expect(resolveSelections([selection], options(...labels))[0]!.index).toBe(index);
  });

  test('a pick that stays keeps the time it was made', () => {
    const block = { id: 'd', type: 'multiple' as const, question: '', options: options('A', 'B') };
    const later = new Date('2026-02-01T00:00:00.000Z');
    const picked = select(
      block,
      { indexes: [0, 1], labels: ['A', 'B'] },
      { shown: 2, current: 2, at: later },
      [stored('A', 0)],
    );
    expect(picked.map((s) => [s.answeredAt, s.answeredAtVersion])).toEqual([
      [AT.toISOString(), 1],
      [later.toISOString(), 2],
    ]);
  });
});

describe('verdicts', () => {
  const verdict = (part: Partial<Verdict> = {}): Verdict => ({
    id: 'v',
    versionId: 'x',
    verdict: 'approved',
    note: null,
    reviewerUserId: 'ada',
    submittedAt: AT,
    withdrawnAt: null,
    withdrawnByUserId: null,
    ...part,
  });

  test('the newest stands unless it was withdrawn', () => {
    expect(standing(null)).toBeNull();
    expect(standing(verdict())?.id).toBe('v');
    expect(standing(verdict({ withdrawnAt: AT }))).toBeNull();
  });

  test('a request for changes needs words, an approval none', () => {
    expect(() => requireReason('changes-requested', null, 0)).toThrow(
      expect.objectContaining({ code: 'note_required' }),
    );
    expect(() => requireReason('changes-requested', null, 1)).not.toThrow();
    expect(() => requireReason('changes-requested', 'why', 0)).not.toThrow();
    expect(() => requireReason('approved', null, 0)).not.toThrow();
  });

  test('nobody takes back the verdict of a person who has gone', () => {
    expect(() => requireWithdrawable(verdict({ reviewerUserId: null }), 'v', null)).toThrow(
      expect.objectContaining({ kind: 'forbidden' }),
    );
    expect(() => requireWithdrawable(verdict(), 'other', 'ada')).toThrow(
      expect.objectContaining({ code: 'nothing_to_withdraw' }),
    );
  });
});

describe('quotes for agents', () => {
  test.each([
    ['ello wor', 'h', 'ld!', 'hello world'],
    ['hello', 'say ', ' there', 'hello'],
    [', hello', 'say', ' x', ', hello'],
    ['größ', '', 'e des Feldes', 'größe'],
    ['ить по', 'вариант измен', 'рядок', 'изменить порядок'],
  ])('%j between %j and %j is read as %j', (quote, prefix, suffix, whole) => {
    expect(wholeWords({ quote, prefix, suffix, start: 0 })).toBe(whole);
  });
});

describe('sections', () => {
  test('an approval is dropped when its section is gone or reads otherwise', () => {
    const approved = [
      { headingId: 'a', contentHash: '1' },
      { headingId: 'b', contentHash: '2' },
      { headingId: 'c', contentHash: '3' },
    ];
    const sections = [
      { headingId: 'a', contentHash: '1' },
      { headingId: 'b', contentHash: 'changed' },
    ];
    expect(droppedSections(approved, sections)).toEqual(['b', 'c']);
  });
});

describe('what people and agents type', () => {
  test('a title is counted in characters, not in UTF-16 units', () => {
    expect(problemsOf((p) => readTitle(p, 'title', '😀'.repeat(255)))).toBe('');
    expect(problemsOf((p) => readTitle(p, 'title', '😀'.repeat(256)))).toContain('at most 255 characters');
    expect(problemsOf((p) => readTitle(p, 'title', 'a\u2028b'))).toContain('one line');
  });

  test('a body is counted in bytes', () => {
    expect(problemsOf((p) => readBody(p, 'body', 'é'.repeat(32_768), 'reply'))).toBe('');
    expect(problemsOf((p) => readBody(p, 'body', 'é'.repeat(32_769), 'reply'))).toContain(
      'at most 65536 bytes',
    );
  });

  test('a blank description is none, the text 0 is one', () => {
    const problems = new Problems();
    expect(readDescription(problems, 'description', ' \n')).toBeNull();
    expect(readDescription(problems, 'description', '0')).toBe('0');
  });

  test('tags are lower case, tidied and folded', () => {
    expect(readTags(new Problems(), 'tags', [' Tech\u00a0\u2003Design ', 'tech design', '', 'ÄÖ'])).toEqual([
      'tech design',
      'äö',
    ]);
  });

  test.each([
    [undefined, undefined, undefined, ''],
    ['', undefined, null, ''],
    [' ', null, null, ''],
    ['S', 1, { name: 'S', ordinal: 1 }, ''],
    ['S', undefined, undefined, 'seriesOrdinal: A series name needs a position, counting from 1.'],
    [undefined, 4, undefined, 'series: A series position needs a series name.'],
    ['', 4, undefined, 'series: A series position needs a series name.'],
  ])('a change of series to %j at %j', (series, ordinal, place, sentence) => {
    const problems = new Problems();
    const read = readSeriesChange(problems, series, ordinal);
    expect(problemsOf((p) => readSeriesChange(p, series, ordinal))).toBe(sentence);
    if (sentence === '') expect(read).toEqual(place);
  });

  test('a position is a whole number that the database can hold', () => {
    for (const ordinal of [0, -1, 1.5, 2_147_483_648, Number.NaN])
      expect(problemsOf((p) => readSeriesPlace(p, 'S', ordinal))).toContain('between 1 and 2147483647');
  });
});
