import { quoted } from './text.js';

describe('a wrong value that a sentence repeats', () => {
  it('is quoted as it is when it is short', () => {
    expect(quoted('doing')).toBe('"doing"');
    expect(quoted('')).toBe('""');
    expect(quoted('مرحبا 👩‍👩‍👧')).toBe('"مرحبا 👩‍👩‍👧"');
  });

  it('stays on one line and turns no other text around', () => {
    expect(quoted('a\nb\u2028c\u202ed')).toBe('"a b c d"');
  });

  it('is cut between characters when it is long, which shows', () => {
    expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
    expect(quoted('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
    expect(quoted('🚢'.repeat(100_000))).toBe(`"${'🚢'.repeat(80)}…"`);
  });
});
