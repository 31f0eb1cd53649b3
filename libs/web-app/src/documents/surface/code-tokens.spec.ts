import { cutAtTokens } from './code-tokens';

describe('Cutting code at its tokens', () => {
  test('keeps every letter, with the line ends between two tokens', () => {
    const pieces = cutAtTokens('let a;\nlet b;\n', [
      [0, 3, 'tok-k'],
      [7, 10, 'tok-k'],
    ]);
    expect(pieces).toEqual([
      ['let', 'tok-k'],
      [' a;\n', null],
      ['let', 'tok-k'],
      [' b;\n', null],
    ]);
  });

  test('passes over tokens that overlap, are empty or lie outside, so that the text is never changed', () => {
    const code = 'export 🦊';
    const pieces = cutAtTokens(code, [
      [0, 6, 'tok-k'],
      [3, 8, 'tok-s'],
      [7, 7, 'tok-n'],
      [7, 99, 'tok-c'],
    ]);
    expect(pieces.map(([text]) => text).join('')).toBe(code);
    expect(pieces.filter(([, name]) => name !== null)).toEqual([['export', 'tok-k']]);
  });
});
