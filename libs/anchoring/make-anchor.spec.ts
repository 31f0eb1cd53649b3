import { anchorOf, makeAnchor } from './make-anchor.js';

describe('Making an anchor', () => {
  it('takes the quote at its start with up to 32 characters on each side', () => {
    const text = `${'a'.repeat(40)} the words ${'b'.repeat(40)}\n`;
    const { anchor } = makeAnchor(text, 'the words', 41);
    expect(anchor).toEqual({
      quote: 'the words',
      prefix: `${'a'.repeat(31)} `,
      suffix: ` ${'b'.repeat(31)}`,
      start: 41,
    });
  });

  it('finds the quote elsewhere when it does not stand at its start, nearest first', () => {
    const text = 'one fish\ntwo fish\nred fish\n';
    expect(makeAnchor(text, 'fish', 14).anchor?.start).toBe(13);
    expect(makeAnchor(text, 'fish', 999).anchor?.start).toBe(22);
    expect(makeAnchor(text, 'fish', -5).anchor?.start).toBe(4);
  });

  it('refuses a blank quote, one over 5,000 characters, and one that the text lacks', () => {
    expect(makeAnchor('some text', ' \n\u00a0\u200b', 0).refusal).toBe('blank');
    expect(makeAnchor('x'.repeat(6_000), 'x'.repeat(5_001), 0).refusal).toBe('too-long');
    expect(makeAnchor('some text', 'other', 0).refusal).toBe('missing');
  });

  it.each([
    ['a family emoji', 'We 👩‍👩‍👧‍👦 agree', '👩‍👩‍👧‍👦', 3],
    ['a flag', 'In 🇧🇪 today', '🇧🇪', 3],
    ['the second of two flags', 'x 🇧🇪🇳🇱 y', '🇳🇱', 6],
    ['a letter with a combining mark', 'cafe\u0301 here', 'e\u0301', 3],
    ['a skin tone', 'ok 👍🏽 then', '👍🏽', 3],
    ['a Hangul syllable of jamo', 'a \u1112\u1161\u11ab b', '\u1112\u1161\u11ab', 2],
  ])('never cuts %s in half', (_, text, grapheme, start) => {
    for (let from = start; from < start + grapheme.length; from++) {
      for (let to = from + 1; to <= start + grapheme.length; to++) {
        const anchor = anchorOf(text, from, to);
        expect({ quote: anchor.quote, start: anchor.start }).toEqual({ quote: grapheme, start });
      }
    }
  });

  it('keeps no half of a grapheme in prefix and suffix either', () => {
    const family = '👩‍👩‍👧‍👦';
    const { anchor } = makeAnchor(`${family.repeat(5)}word${family.repeat(5)}`, 'word', family.length * 5);
    expect(anchor?.prefix).toBe(family.repeat(2));
    expect(anchor?.suffix).toBe(family.repeat(2));
  });

  it('finds composed letters by decomposed ones and the other way round', () => {
    const composed = 'Das Caf\u00e9 schließt um acht.\n';
    const decomposed = composed.normalize('NFD');
    expect(makeAnchor(composed, 'Cafe\u0301 schließt', 4).anchor).toMatchObject({
      quote: 'Caf\u00e9 schließt',
      start: 4,
    });
    expect(makeAnchor(decomposed, 'Caf\u00e9 schließt', 4).anchor).toMatchObject({
      quote: 'Cafe\u0301 schließt',
      start: 4,
    });
  });

  it('takes no-break spaces, line ends of Windows and runs of blanks for white space', () => {
    const text = 'ten\u00a0thousand rows\nin one table\n';
    expect(makeAnchor(text, 'ten thousand   rows\r\nin one', 0).anchor).toMatchObject({
      quote: 'ten\u00a0thousand rows\nin one',
      start: 0,
    });
  });

  it('holds Arabic with an English name inside by its own characters', () => {
    const text = 'نستخدم PostgreSQL لتخزين البيانات\n';
    const { anchor } = makeAnchor(text, 'PostgreSQL لتخزين', 7);
    expect(text.slice(anchor!.start, anchor!.start + anchor!.quote.length)).toBe('PostgreSQL لتخزين');
  });

  it('leaves white space at the edges of a selection outside', () => {
    expect(anchorOf('one two three', 3, 8)).toMatchObject({
      quote: 'two',
      start: 4,
      prefix: 'one ',
      suffix: ' three',
    });
  });
});
