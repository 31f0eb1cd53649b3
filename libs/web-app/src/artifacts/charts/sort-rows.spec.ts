import { sorted } from './sort-rows';

describe('sorting the data of a chart', () => {
  const rows = [{ a: 10 }, { a: null }, { a: 2 }, { a: 7 }];

  test('numbers by size, empty cells last in both directions, as sent without an order', () => {
    expect(sorted(rows, { key: 'a', down: false }).map(({ a }) => a)).toEqual([2, 7, 10, null]);
    expect(sorted(rows, { key: 'a', down: true }).map(({ a }) => a)).toEqual([10, 7, 2, null]);
    expect(sorted(rows, null)).toBe(rows);
  });

  test('texts by their words, with numbers inside counted as numbers', () => {
    const texts = [{ a: 'week 10' }, { a: 'week 9' }];
    expect(sorted(texts, { key: 'a', down: false }).map(({ a }) => a)).toEqual(['week 9', 'week 10']);
  });
});
