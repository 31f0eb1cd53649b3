import fc from 'fast-check';
import { JsonText } from './json-text.js';

describe('JsonText', () => {
  it('is the JSON of its text, and gives the text back', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('', '"\\\n\t\u0000\u007f', 'ö\u2028', '\u{1f600}', '</script>'),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const held of [JsonText.of(text), JsonText.ofUtf8(Buffer.from(text))]) {
          expect(held.json.toString()).toBe(JSON.stringify(text));
          expect(held.text).toBe(text);
          expect(JSON.stringify({ text: held })).toBe(JSON.stringify({ text }));
        }
      }),
    );
  });
});
