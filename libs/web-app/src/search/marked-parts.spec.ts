import { markedParts } from './marked-parts';

describe('text with marks', () => {
  test('marks become parts, and signs are read once', () => {
    expect(markedParts('a &lt;b&gt; <mark>c &amp;amp;</mark> d')).toEqual([
      { text: 'a <b> ', marked: false },
      { text: 'c &amp;', marked: true },
      { text: ' d', marked: false },
    ]);
  });

  test('any other tag stays text', () => {
    expect(markedParts('<img src=x onerror=alert(1)><mark>x')).toEqual([
      { text: '<img src=x onerror=alert(1)>', marked: false },
      { text: 'x', marked: true },
    ]);
    expect(markedParts('&lt;mark&gt;no mark&lt;/mark&gt;')).toEqual([
      { text: '<mark>no mark</mark>', marked: false },
    ]);
    expect(markedParts('')).toEqual([]);
  });
});
