import { cutPassages, passageName } from './passages';

const thread = (id: string, start: number, end: number, comments = 1, struck = false) => ({
  id,
  start,
  end,
  comments,
  struck,
});

describe('cutPassages', () => {
  it('leaves threads apart that do not touch', () => {
    expect(cutPassages([thread('b', 10, 14), thread('a', 0, 4)])).toEqual([
      { start: 0, end: 4, ids: ['a'], begins: ['a'], comments: 1, struck: false },
      { start: 10, end: 14, ids: ['b'], begins: ['b'], comments: 1, struck: false },
    ]);
  });

  it('cuts overlapping and nested threads, and gives each its button where it begins', () => {
    const cut = cutPassages([
      thread('outer', 0, 10, 2),
      thread('inner', 3, 6),
      thread('late', 5, 12, 1, true),
    ]);
    expect(cut.map(({ start, end, ids, begins }) => [start, end, ids.join(), begins.join()])).toEqual([
      [0, 3, 'outer', 'outer'],
      [3, 5, 'outer,inner', 'inner'],
      [5, 6, 'outer,inner,late', 'late'],
      [6, 10, 'outer,late', ''],
      [10, 12, 'late', ''],
    ]);
    expect(cut[1]!.comments).toBe(3);
    expect(cut[4]!.struck).toBe(true);
  });

  it('joins threads on the very same words into one run', () => {
    expect(cutPassages([thread('a', 2, 5), thread('b', 2, 5)])).toEqual([
      { start: 2, end: 5, ids: ['a', 'b'], begins: ['a', 'b'], comments: 2, struck: false },
    ]);
  });

  it('leaves out what has no length', () => {
    expect(cutPassages([thread('a', 5, 5), thread('b', -1, 3)])).toEqual([]);
  });
});

describe('passageName', () => {
  it('counts the comments and keeps every word', () => {
    expect(passageName(1, 'two\n weeks')).toBe('Passage with 1 comment: two weeks');
    expect(passageName(2, 'x'.repeat(100))).toBe(`Passage with 2 comments: ${'x'.repeat(100)}`);
  });
});
