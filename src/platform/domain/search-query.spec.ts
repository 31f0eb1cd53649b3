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
    ['paging que', { before: 'paging', word: 'que' }],
    ['exp', { before: '', word: 'exp' }],
    ['"exact words" que', { before: '"exact words"', word: 'que' }],
    ['-draft que', { before: '-draft', word: 'que' }],
    // Too short, inside a quote, left out, or the other side of OR.
    ['paging qu', null],
    ['"exact wor', null],
    ['"exact words"', null],
    ['paging -que', null],
    ['paging OR que', null],
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
