import { anchorFor, findAgain } from './selection';

describe('anchorFor', () => {
  const text = 'One job for each sailing.\nA family 👨‍👩‍👧 and 🇵🇹, cafe\u0301.\n';

  it('gives quote and start, without white space at the edges', () => {
    expect(anchorFor(text, 3, 8)).toEqual({ ok: true, quote: 'job', start: 4, end: 7 });
    expect(anchorFor(text, 8, 3)).toMatchObject({ quote: 'job', start: 4 });
  });

  it('refuses a blank selection', () => {
    expect(anchorFor(text, 3, 4)).toEqual({ ok: false, reason: 'Select some words of the text first.' });
    expect(anchorFor(text, 5, 5)).toMatchObject({ ok: false });
  });

  it('never ends inside an emoji family, a flag or a letter with a combining mark', () => {
    const family = text.indexOf('👨');
    expect(anchorFor(text, family + 2, family + 4)).toMatchObject({ quote: '👨‍👩‍👧' });
    const flag = text.indexOf('🇵');
    expect(anchorFor(text, flag + 2, flag + 3)).toMatchObject({ quote: '🇵🇹' });
    const accent = text.indexOf('e\u0301');
    expect(accent).toBeGreaterThan(0);
    expect(anchorFor(text, accent, accent + 1)).toMatchObject({ quote: 'e\u0301' });
  });

  it('refuses more than 5,000 characters', () => {
    expect(anchorFor('x'.repeat(5001), 0, 5001)).toMatchObject({ ok: false });
    expect(anchorFor('👍'.repeat(5000), 0, 10_000)).toMatchObject({ ok: true });
  });
});

describe('findAgain', () => {
  it('takes the occurrence nearest to where the words were', () => {
    const text = 'retry it. pause. retry it. stop. retry it.';
    expect(findAgain('retry it.', 16, text.length, text)).toEqual({ quote: 'retry it.', start: 17 });
  });

  it('says so when the words are gone', () => {
    expect(findAgain('drop the job', 4, 100, 'Nothing of that.')).toBeNull();
  });
});
