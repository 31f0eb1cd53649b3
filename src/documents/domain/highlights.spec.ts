import { placeHighlights } from './highlights.js';

const TEXT = 'Exports move to a queue.\nThe queue is new (v2.0)? Yes.\nMoves\tand cells\n';

describe('placeHighlights', () => {
  it('documents 15.54: takes the first occurrence of text as it reads rendered', () => {
    expect(placeHighlights(TEXT, ['queue'])).toEqual({
      highlights: [{ start: 18, end: 23, quote: 'queue' }],
      skipped: [],
    });
  });

  it('documents 15.54: does not know Markdown source', () => {
    expect(placeHighlights(TEXT, ['**queue**']).skipped).toEqual([
      { quote: '**queue**', reason: 'not_found' },
    ]);
  });

  it('stays inside one block', () => {
    expect(placeHighlights(TEXT, ['queue. The queue']).skipped[0]?.reason).toBe('not_found');
  });

  it('matches signs as they are, and runs of blanks with each other', () => {
    expect(
      placeHighlights(TEXT, ['new (v2.0)?', '  Exports   move ']).highlights.map((h) => h.quote),
    ).toEqual(['new (v2.0)?', 'Exports move']);
  });

  it('stays inside one cell of a table, and gives back the words as they stand', () => {
    const text = 'One\u00a0 entry\tNext cell\n';
    expect(placeHighlights(text, ['entry Next', 'One entry'])).toEqual({
      highlights: [{ start: 0, end: 10, quote: 'One\u00a0 entry' }],
      skipped: [{ quote: 'entry Next', reason: 'not_found' }],
    });
  });

  it('keeps offsets in UTF-16 units', () => {
    expect(placeHighlights('👩‍👩‍👧  x  مرحبا بك', ['x مرحبا']).highlights).toEqual([
      { start: 10, end: 18, quote: 'x  مرحبا' },
    ]);
  });

  it('looks once through the text, however much it and the quotes repeat themselves', () => {
    const text = 'a '.repeat(500_000);
    const quotes = Array.from({ length: 20 }, (_, n) => `b${n} ${'a '.repeat(900)}c`);
    // Trying every place anew would not end within the time of the test.
    expect(placeHighlights(text, quotes).skipped).toHaveLength(20);
  });

  it('says why a quote is left out', () => {
    expect(
      placeHighlights(TEXT, ['queue', ' queue ', '  ', 'x'.repeat(2_001)]).skipped.map((s) => s.reason),
    ).toEqual(['duplicate', 'blank', 'too_long']);
  });
});
