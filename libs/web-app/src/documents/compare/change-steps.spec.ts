import { foldUnchanged, stepChange } from './change-steps';

describe('going through changes', () => {
  it('documents 15.60: steps forth and back and stops at the ends', () => {
    expect(stepChange(3, -1, 1)).toBe(0);
    expect(stepChange(3, -1, -1)).toBe(2);
    expect(stepChange(3, 0, 1)).toBe(1);
    expect(stepChange(3, 2, 1)).toBe(2);
    expect(stepChange(3, 0, -1)).toBe(0);
    expect(stepChange(0, -1, 1)).toBe(-1);
  });
});

describe('foldUnchanged', () => {
  const rows = 'aaaaaXaaaaaaaXa'.split('');
  const shape = (context: number) =>
    foldUnchanged(rows, (row) => row === 'X', context).map(
      ({ kind, rows: part, from }) => `${kind}:${from}+${part.length}`,
    );

  it('keeps the rows round each change and folds the rest', () => {
    expect(shape(1)).toEqual(['fold:0+4', 'rows:4+3', 'fold:7+5', 'rows:12+3']);
  });

  it('does not fold what is too short to be worth it', () => {
    expect(shape(3)).toEqual(['rows:0+15']);
  });

  it('loses no row', () => {
    expect(foldUnchanged(rows, (row) => row === 'X', 1).flatMap(({ rows: part }) => part)).toEqual(rows);
    expect(foldUnchanged([], () => true, 1)).toEqual([]);
  });
});
