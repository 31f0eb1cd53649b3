import type { DiffLine } from '../shapes';
import { numbered, sideBySide } from './diff-rows';

const lines = (...texts: string[]): DiffLine[] =>
  texts.map((text) => ({ op: text[0] as DiffLine['op'], text: text.slice(1) }));

describe('lines of a comparison', () => {
  const hunk = { fromLine: 4, toLine: 7, lines: lines(' a', '-b', '-c', '+d', ' e', '+f') };

  test('are counted in both texts', () => {
    expect(numbered(hunk).map(({ left, right }) => [left, right])).toEqual([
      [4, 7],
      [5, null],
      [6, null],
      [null, 8],
      [7, 9],
      [null, 10],
    ]);
  });

  test('stand beside each other, removed with added', () => {
    expect(sideBySide(numbered(hunk)).map(({ left, right }) => [left?.text, right?.text])).toEqual([
      ['a', 'a'],
      ['b', 'd'],
      ['c', undefined],
      ['e', 'e'],
      [undefined, 'f'],
    ]);
  });
});
