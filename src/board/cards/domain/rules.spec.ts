import { Problems } from '#libs/kernel/errors.js';
import { PALETTE } from '#libs/kernel/palette.js';
import { RANK_STEP, rankAfter, rankBetween, rankOfFinished } from './card.js';
import { chooseState, type Marker, reasonOf } from './card-state.js';
import { slugOf } from './column-label.js';
import { judgeParent, judgeType } from './family.js';
import { freshColour } from './palette.js';
import { readPullRequestUrl } from './pull-request-url.js';

describe('slugs of columns', () => {
  test.each([
    ['In review', 'in-review'],
    ['  Ünïcödé -- ÇA  ', 'unicode-ca'],
    ['东京', 'dongjing'],
    ['!!!', ''],
    [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
  ])('%j gives %j', (label, slug) => {
    expect(slugOf(label)).toBe(slug);
  });
});

describe('addresses of pull requests', () => {
  const github = (repository: string, number: number) => ({ forge: 'github', repository, number });
  const other = { forge: 'other', repository: null, number: null };
  test.each([
    ['https://github.com/o/r/pull/7', github('o/r', 7)],
    ['http://WWW.GitHub.com/o/r/pull/7/?x=1#files', github('o/r', 7)],
    ['github.com/o/r/pull/7', github('o/r', 7)],
    ['https://github.com/o/r/pull/7/files', other],
    ['https://github.com/o/r/issues/7', other],
    ['https://github.com.evil.example/o/r/pull/7', other],
    ['https://evil.example/github.com/o/r/pull/7', other],
    ['javascript:alert(1)', other],
    [`https://github.com/o/${'r'.repeat(256)}/pull/7`, { forge: 'github', repository: null, number: null }],
    ['https://github.com/o/r/pull/2147483648', { forge: 'github', repository: null, number: null }],
  ])('%s', (url, place) => {
    expect(readPullRequestUrl(url)).toEqual(place);
  });
});

describe('ranks', () => {
  test('lie between their neighbours while there is room, and say when there is none', () => {
    expect(rankAfter(null)).toBe(0);
    expect(rankAfter(5)).toBe(5 + RANK_STEP);
    expect(rankBetween(null, 0)).toBe(-RANK_STEP);
    expect(rankBetween(0, 2)).toBe(1);
    expect(rankBetween(-3, -1)).toBe(-2);
    expect(rankBetween(0, 1)).toBeNull();
    expect(rankBetween(-1, 0)).toBeNull();
  });

  test('put the newest completion first', () => {
    const [early, late] = [new Date(1_000), new Date(2_000)];
    expect(rankOfFinished(late)).toBeLessThan(rankOfFinished(early));
  });
});

describe('the state of a card', () => {
  const marker = (code: Marker['code']): Marker => ({ code, since: null, params: {} });

  test('is the first marker by kind; the others follow', () => {
    const chosen = chooseState([
      marker('held-by-blocker'),
      marker('session-open'),
      marker('paused'),
      marker('document-in-review'),
    ]);
    expect(chosen!.shown.code).toBe('paused');
    expect(chosen!.others.map((other) => other.code)).toEqual([
      'document-in-review',
      'session-open',
      'held-by-blocker',
    ]);
    expect(chooseState([])).toBeNull();
  });

  test('has a sentence with its facts in it', () => {
    expect(reasonOf('held-by-blocker', { number: 7 })).toBe('Card 7 has to be finished first.');
    expect(reasonOf('document-in-review', { title: '$& {number}' })).toBe(
      'The document "$& {number}" waits for a review.',
    );
  });
});

describe('parents and children', () => {
  const judged = (work: (problems: Problems) => void) => {
    const problems = new Problems();
    work(problems);
    try {
      problems.throwIfAny();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('a parent holds at most 500 children, those it has already stay', () => {
    const parent = { number: 12, children: true, childCount: 500 };
    const card = { mayHaveChildren: false, isChildAlready: false };
    expect(judged((problems) => judgeParent(problems, parent, card))).toBe(
      'parentCardId: Card 12 has 500 children already.',
    );
    const own = { ...card, isChildAlready: true };
    expect(judged((problems) => judgeParent(problems, parent, own))).toBeNull();
  });

  test('a type keeps the family of its card', () => {
    const type = { key: 'epic', children: true };
    const child = { hasParent: true, hasChildren: false };
    expect(judged((problems) => judgeType(problems, type, child))).toContain('cannot become "epic"');
    const plain = { key: 'bug', children: false };
    expect(
      judged((problems) => judgeType(problems, plain, { hasParent: true, hasChildren: false })),
    ).toBeNull();
  });
});

test('a new column takes a colour that no other has, and any one when all are taken', () => {
  expect(freshColour(['slate', 'red'], 0.5)).toBe('orange');
  expect(freshColour(PALETTE, 0.999)).toBe('pink');
});
