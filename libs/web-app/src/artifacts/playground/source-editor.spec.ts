import { shift } from './source-editor';

describe('moving lines in and out', () => {
  const text = 'a\n  b\nc';
  test('moves every line of the selection and keeps it chosen', () => {
    const moved = shift(text, 0, 5, true);
    expect(moved.text).toBe('  a\n    b\nc');
    expect(moved.text.slice(moved.start, moved.end)).toBe('a\n    b');
    expect(shift(moved.text, 0, moved.end, false).text).toBe(text);
  });

  test('takes away what is there and no more', () => {
    expect(shift('x\n y', 0, 4, false).text).toBe('x\ny');
    expect(shift('', 0, 0, true).text).toBe('');
  });
});
