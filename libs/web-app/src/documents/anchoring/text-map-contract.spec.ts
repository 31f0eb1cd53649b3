import fc from 'fast-check';
import { readPlainText, type TextTree } from '../../../../anchoring/plain-text';
import { type TestNode, treeFromHtml } from '../testing/tree-from-html';
import { TextMap } from './text-map';

/** The rules of the server, read over the test tree. */
const rules: TextTree<TestNode> = {
  tag: (node) => (node.nodeType === 1 ? node.nodeName.toLowerCase() : null),
  text: (node) => (node.nodeType === 3 ? (node.data ?? '') : null),
  children: (node) => node.childNodes,
  skipped: (node) => node.getAttribute('data-no-anchor') !== null,
  alt: (node) => node.getAttribute('alt') ?? '',
};

const word = fc.constantFrom(
  'queue',
  'R1',
  'خطة',
  'café',
  'cafe\u0301',
  '👨‍👩‍👧',
  '🇵🇹',
  'a\u00a0b',
  'x',
  '&lt;b&gt;',
  '—',
);
const gap = fc.constantFrom(' ', '  ', '\n  ', '');
const words = fc
  .array(fc.tuple(gap, word), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([space, text]) => space + text).join(''));
const inline = fc
  .array(
    fc.oneof(
      words,
      words.map((text) => `<em>${text}</em>`),
      words.map((text) => `<a href="#x"><code>${text}</code></a>`),
      words.map((text) => `<span data-no-anchor>${text}</span>`),
      fc.constant('<br>'),
      fc.constant('<img alt="a  lamp">'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const cell = inline.map((content) => `<td>${content}</td>`);
const block = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    inline.map((content) => `<p>${content}</p>`),
    inline.map((content) => `<h2>${content}</h2>`),
    words.map((content) => `<pre><code>${content}\n  end\n</code></pre>`),
    fc.tuple(inline, tie('any'), inline).map(([a, b, c]) => `<ul><li>${a}${b}${c}</li><li>${c}</li></ul>`),
    tie('any').map((content) => `<blockquote>${content}</blockquote>`),
    tie('any').map((content) => `<div role="note"><span data-no-anchor>Warning</span>${content}</div>`),
    fc
      .array(cell, { minLength: 1, maxLength: 3 })
      .map((row) => `<table><tbody><tr>${row.join('\n')}</tr></tbody></table>`),
  ),
})).any as fc.Arbitrary<string>;

describe('TextMap and the plain text of the server', () => {
  it('documents 5.1: agree on the offset of every character of every text', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
        const root = treeFromHtml(blocks.join('\n'));
        const plain = readPlainText(root, rules);
        for (const { node, start } of plain.blocks) node.setAttribute('data-start', String(start));
        const map = new TextMap<TestNode>(root, root.blocks(), plain.text);
        for (const { node, from, start, length } of plain.runs) {
          if (node.nodeType !== 3) continue;
          for (let at = 0; at < length; at++) expect(map.offsetAt(node, from + at, 'start')).toBe(start + at);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('documents 5.2: lead from any stretch of the plain text to nodes that show exactly it', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (blocks, a, b) => {
        const root = treeFromHtml(blocks.join('\n'));
        const plain = readPlainText(root, rules);
        // The alternative text of an image stands in no text node.
        fc.pre(!plain.text.includes('lamp'));
        for (const { node, start } of plain.blocks) node.setAttribute('data-start', String(start));
        const map = new TextMap<TestNode>(root, root.blocks(), plain.text);
        const [start, end] = [a % (plain.text.length + 1), b % (plain.text.length + 1)].sort(
          (x, y) => x - y,
        ) as [number, number];
        const shown = map
          .slices(start, end)
          .map(({ node, from, to }) => node.data!.slice(from, to))
          .join('');
        const bare = (text: string) => text.replace(/\s/gu, '');
        expect(bare(shown)).toBe(bare(plain.text.slice(start, end)));
      }),
      { numRuns: 400 },
    );
  });
});
