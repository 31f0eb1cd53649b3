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

  it('says why a quote is left out', () => {
    expect(
      placeHighlights(TEXT, ['queue', ' queue ', '  ', 'x'.repeat(2_001)]).skipped.map((s) => s.reason),
    ).toEqual(['duplicate', 'blank', 'too_long']);
  });
});
