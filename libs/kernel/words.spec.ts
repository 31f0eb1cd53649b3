import { readable, UNSEEN } from './words.js';

describe('the words of a text', () => {
  it('are the same with and without direction marks, zero-width spaces and soft hyphens', () => {
    expect(readable('\u200fمرحبا\u200e wel\u00adcome \u2066name\u2069 a\u200bb\ufeff')).toBe(
      'مرحبا welcome name ab',
    );
    for (const mark of UNSEEN) expect(readable(`a${mark}b`)).toBe('ab');
  });

  it('keep joiners, accents, emoji and white space', () => {
    const text = 'می\u200cخواهم क्\u200dष 👩‍👩‍👧 e\u0301\n\ta';
    expect(readable(text)).toBe(text);
  });
});
