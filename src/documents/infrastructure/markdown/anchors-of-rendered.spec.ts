import { anchorOf, makeAnchor } from '#libs/anchoring/make-anchor.js';
import { relocate } from '#libs/anchoring/relocate.js';
import { renderMarkdown } from './render-markdown.js';

/** Anchors `quote` in the rendered text, revises the text around it and gives what it then stands on. */
function carried(
  markdown: string,
  quote: string,
  revised = `A paragraph came first.\n\n${markdown}\n\nAnd one last.`,
): string | null {
  const before = renderMarkdown(markdown).plainText;
  const after = renderMarkdown(revised).plainText;
  const start = before.indexOf(quote);
  expect(start).toBeGreaterThanOrEqual(0);
  const { anchor } = makeAnchor(before, quote, start);
  expect(anchor?.quote).toBe(quote);
  const [placement] = relocate(before, after, [anchor!]);
  return placement == null ? null : after.slice(placement.start, placement.end);
}

describe('Anchors in rendered documents', () => {
  it.each([
    ['across two paragraphs', 'One ends here.\n\nTwo *begins* here.', 'ends here.\nTwo begins'],
    ['across two list items', '1. First entry\n2. Second entry', 'entry\nSecond'],
    ['inside a table cell', '| a | b |\n| - | - |\n| x | limit of **ten** |', 'limit of ten'],
    ['across cells and rows', '| a | b |\n| - | - |\n| x | y |', 'b\nx\ty'],
    ['inside a code block', '```js\nif (a) {\n  b();\n}\n```', '{\n  b();'],
    ['a cell that holds a pipe in inline code', '| a |\n| - |\n| `x \\| y` |', 'x | y'],
    [
      'a four-backtick fence around a three-backtick fence',
      '````md\n```js\ncode\n```\n````',
      '```js\ncode\n```',
    ],
    ['a fence that never ends', 'Before.\n\n```\nopen code\nto the end', 'open code\nto the'],
    [
      'a 40-column table',
      `|${' c |'.repeat(40)}\n|${' - |'.repeat(40)}\n|${Array.from({ length: 40 }, (_, at) => ` v${at} |`).join('')}`,
      'v17\tv18\tv19',
    ],
    ['Arabic with an English name', 'نستخدم **PostgreSQL** لتخزين البيانات', 'نستخدم PostgreSQL'],
    ['a family emoji', 'The 👩‍👩‍👧‍👦 team', '👩‍👩‍👧‍👦'],
    ['a footnote mark inside the passage', 'Words[^1] go on.\n\n[^1]: Note.', 'Words go on'],
    ['a note', '<!-- note: ask Ann first -->\n\nText', 'ask Ann'],
    [
      'the question and options of a decision',
      '<!-- decision: a -->\n\nWhich one?\n\n- this\n- that\n\n<!-- /decision -->',
      'one?\nthis',
    ],
  ])('holds %s', (_, markdown, quote) => {
    const isOpenEnded = markdown.includes('open code');
    expect(carried(markdown, quote, isOpenEnded ? `A paragraph came first.\n\n${markdown}` : undefined)).toBe(
      quote,
    );
  });

  it('a selection from the icon of an alert through its title holds the words alone', () => {
    const { html, plainText } = renderMarkdown('Before.\n\n> [!WARNING]\n> Running exports are lost.');
    expect(html).toContain('<span class="callout__title" data-no-anchor="">Warning</span>');
    expect(plainText).toBe('Before.\nRunning exports are lost.\n');
    expect(anchorOf(plainText, 7, plainText.length).quote).toBe('Running exports are lost.');
  });

  it('follows words whose formatting alone changed, as the same words', () => {
    expect(carried('The limit is ten rows.', 'limit is ten', 'The **limit** is `ten` rows.')).toBe(
      'limit is ten',
    );
  });

  it('text that arrives with CRLF anchors like text with LF', () => {
    expect(renderMarkdown('a\r\nb\r\n\r\nc'.replace(/\r\n/g, '\n')).plainText).toBe('a b\nc\n');
    expect(makeAnchor('a b\nc\n', 'a\r\nb\r\nc', 0).anchor?.quote).toBe('a b\nc');
  });

  it('documents 15.43: a comment on the source of a diagram keeps its place', () => {
    expect(carried('```mermaid\ngraph TD\n  A --> B\n```', 'A --> B')).toBe('A --> B');
  });
});
