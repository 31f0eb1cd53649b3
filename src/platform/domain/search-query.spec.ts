import fc from 'fast-check';
import { readSearchQuery, SEARCH_CHARACTERS, soughtWords } from './search-query.js';

describe('what somebody typed into the search', () => {
  test('platform 10: more than 200 characters are cut, counted as people count them', () => {
    const ships = '🚢'.repeat(250);
    const { text, cut } = readSearchQuery(ships);
    expect([[...text].length, cut]).toEqual([SEARCH_CHARACTERS, true]);
    expect(readSearchQuery('a '.repeat(5_000))).toMatchObject({ cut: true });
    expect(readSearchQuery(' exports ')).toMatchObject({ text: 'exports', cut: false });
  });

  test('what cannot be looked for becomes a blank, and nothing is refused', () => {
    expect(readSearchQuery('a\0b\nc\ud800d').text).toBe('a b c d');
    expect(readSearchQuery('\0\n').text).toBe('');
    expect(readSearchQuery('\u200fexp\u00adorts\u2069').text).toBe('exports');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (typed) => {
        const { text } = readSearchQuery(typed);
        expect([...text].length).toBeLessThanOrEqual(SEARCH_CHARACTERS);
        expect(text).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
        expect(text).toBe(text.trim());
      }),
    );
  });

  test.each([
    ['#12', 12],
    ['12', 12],
    [' #007 ', 7],
    ['#12 paging', null],
    ['#', null],
    ['#12345678901', null],
    ['-12', null],
  ])('platform 19.14: %s names the card %s', (typed, number) => {
    expect(readSearchQuery(typed).number).toBe(number);
  });

  test.each([
    ['paging queu', { before: 'paging', word: 'queu' }],
    ['expo', { before: '', word: 'expo' }],
    ['"exact words" queu', { before: '"exact words"', word: 'queu' }],
    ['-draft queu', { before: '-draft', word: 'queu' }],
    ['検索', { before: '', word: '検索' }],
    // Too short, inside a quote, left out, or the other side of OR.
    ['paging que', null],
    ['検', null],
    ['"exact wor', null],
    ['"exact words"', null],
    ['paging -queu', null],
    ['paging OR queu', null],
    ['<script', null],
    ['', null],
  ])('the last word of %s may be typed by half', (typed, begun) => {
    expect(readSearchQuery(typed).begun).toEqual(begun);
  });

  test('places are looked for by words, the longest first, without what is left out', () => {
    expect(soughtWords('"move exports" OR queue -drafts <script>')).toEqual([
      'exports',
      'script',
      'queue',
      'move',
    ]);
    expect(soughtWords('! & | 🚢')).toEqual([]);
  });
});
