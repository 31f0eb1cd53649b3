import { InvalidInput } from '#libs/kernel/errors.js';
import { renderMarkdown } from './render-markdown.js';

const html = (markdown: string) => renderMarkdown(markdown).html;
const text = (markdown: string) => renderMarkdown(markdown).plainText;

describe('The Markdown dialect', () => {
  it('renders what GFM has: tables in a box of their own, strikethrough, bare links', () => {
    const page = html('| a | b |\n| - | :-: |\n| 1 | ~~2~~ |\n\nSee https://example.org/x.');
    expect(page).toContain('<div class="table-box" tabindex="0" role="region" aria-label="Table"><table>');
    expect(page).toMatch(/<td align="center"[^>]*><del>2<\/del><\/td>/);
    expect(page).toContain(
      '<a href="https://example.org/x" target="_blank" rel="noopener noreferrer nofollow ugc">',
    );
  });

  it('gives headings ids from their text, whatever the script, and numbers repeats', () => {
    const { outline } = renderMarkdown(
      '# Über uns!\n\n## *Why* `now`?\n\n# über-uns\n\n### ---x---\n\n# ❓\n\n# Über uns 2\n\n# 概要',
    );
    expect(outline.map((entry) => entry.id)).toEqual([
      'heading-über-uns',
      'heading-why-now',
      'heading-über-uns-2',
      'heading-x',
      'heading-section',
      'heading-über-uns-2-2',
      'heading-概要',
    ]);
    expect(outline[1]).toMatchObject({ level: 2, text: 'Why now?' });
  });

  it('reads sections with the span and hash of their text', () => {
    const before = renderMarkdown('Before.\n\n## One\n\nAlpha.\n\n### Two\n\nBeta.');
    expect(
      before.sections.map(({ headingId, level, start, end }) => [
        headingId,
        level,
        before.plainText.slice(start, end),
      ]),
    ).toEqual([
      ['heading-one', 2, 'One\nAlpha.\n'],
      ['heading-two', 3, 'Two\nBeta.\n'],
    ]);
    const after = renderMarkdown('New start.\n\n## One\n\nAlpha.\n\n### Two\n\nGamma.');
    expect(after.sections[0]!.contentHash).toBe(before.sections[0]!.contentHash);
    expect(after.sections[1]!.contentHash).not.toBe(before.sections[1]!.contentHash);
  });

  it('shows front matter as code and a thematic break at the top as one', () => {
    expect(html('---\ntitle: A <b>\ntags: [x]\n---\n\nText')).toContain(
      '<pre data-language="yaml" data-start="0"><code>title: A &#x3C;b>',
    );
    expect(html('---\n\nText\n\n---\n\nMore')).toContain('<hr>');
  });

  it('keeps code as written, and names its language', () => {
    const page = renderMarkdown('```ts {1,2} x\nconst a  = 1;\n\n  b\n```\n\n    indented');
    expect(page.html).toContain(
      '<pre data-language="ts" data-start="0"><code>const a  = 1;\n\n  b\n</code></pre>',
    );
    expect(page.plainText).toBe('const a  = 1;\n\n  b\nindented\n');
  });

  it('shows task boxes as glyphs that are not part of the text', () => {
    const page = renderMarkdown('- [ ] open\n- [x] done');
    expect(page.plainText).toBe('open\ndone\n');
    expect(page.html).toMatch(
      /<li class="task" data-done="true"[^>]*><span class="task__glyph" data-no-anchor="" role="img" aria-label="Done">/,
    );
    expect(page.html).not.toContain('<input');
  });

  it('makes callouts of the five words in any case, and leaves others a quote', () => {
    for (const word of ['NOTE', 'tip', 'Important', 'WARNING', 'caution']) {
      const page = renderMarkdown(`> [!${word}]\n> Mind the **gap**.`);
      expect(page.html).toContain(`data-callout="${word.toLowerCase()}"`);
      expect(page.plainText).toBe('Mind the gap.\n');
    }
    expect(text('> [!DANGER]\n> x')).toBe('[!DANGER] x\n');
    expect(html('> [!NOTE] with words')).toContain('<blockquote');
  });

  it('shows comments as notes that can be commented on', () => {
    const page = renderMarkdown('<!-- note: Ask <Ann> -->\n\nWords <!-- inline --> here.\n\n<!-- -->');
    expect(page.plainText).toBe('Ask <Ann>\nWords inline here.\n');
    expect(page.html).toContain(
      '<div class="annotation" role="note"><span class="annotation__label" data-no-anchor="">Note</span><p',
    );
  });

  it('drops a comment inside a raw HTML element, and tells the author', () => {
    const page = renderMarkdown('<div>\n<!-- hidden -->\nwords\n</div>');
    expect(page.plainText).toBe('words\n');
    expect(page.warnings).toEqual([expect.objectContaining({ code: 'comment_dropped', decisionId: null })]);
  });

  it('labels the cells of an option table, and keeps the comments as notes without one', () => {
    const table = '| Option | Pros |\n| - | - |\n| One | *fast* |\n';
    expect(html(`<!-- options -->\n\n${table}\n<!-- /options -->`)).toMatch(
      /option-table[\s\S]*<td data-label="Pros"[^>]*><em>fast/,
    );
    expect(text('<!-- options -->\n\nwords\n\n<!-- /options -->')).toBe('options\nwords\n/options\n');
    expect(html('<!-- options -->\n\n| One |\n| - |\n| x |\n\n<!-- /options -->')).not.toContain(
      'option-table',
    );
  });

  it('puts footnotes at the end; marks and back links do not count, words do', () => {
    const page = renderMarkdown(
      'First[^b], second[^a], first again[^b].\n\n[^a]: Note **A**.\n[^b]: Note B[^a].\n[^c]: Never named.',
    );
    expect(page.plainText).toBe('First, second, first again.\nNote B.\nNote A.\n');
    expect(page.html).toContain('<a id="footnote-ref-1-2" href="#footnote-1" aria-label="Footnote 1">1</a>');
    expect(page.html).toMatch(/<li id="footnote-2"[\s\S]*Back to mention 2/);
  });

  it('a note belongs to no section', () => {
    const one = renderMarkdown('## A\n\nx[^1]\n\n[^1]: old');
    const two = renderMarkdown('## A\n\nx[^1]\n\n[^1]: new');
    expect(one.sections[0]!.contentHash).toBe(two.sections[0]!.contentHash);
  });

  it('links bare mentions of an ID to its definition with the first sentence as tooltip', () => {
    const page = renderMarkdown(
      '- **R3: Nothing twice.** A retry replaces.\n\n**H4** — Keep it. More.\n\nMeets R3, (H4) and R9; not XR3, R33 or `R3`. [R3](https://x.example)',
    );
    expect(page.html).toContain(
      '<a class="id-ref" href="#reminder-R3" title="Nothing twice.">R3</a>, (<a class="id-ref" href="#reminder-H4" title="Keep it.">H4</a>) and R9; not XR3, R33 or <code>R3</code>',
    );
    expect(page.html.match(/class="id-ref"/g)).toHaveLength(2);
    expect(page.plainText).toContain('Meets R3, (H4) and R9; not XR3, R33 or R3. R3\n');
  });

  it('follows links only where they may lead, and names the true host behind a text that shows another', () => {
    expect(html('[a](relative.md) [b](ftp://x) [c](#heading-x) [d](mailto:a@b.example)')).toBe(
      '<p data-start="0" dir="auto">a b <a href="#heading-x">c</a> <a href="mailto:a@b.example" target="_blank" rel="noopener noreferrer nofollow ugc">d</a></p>',
    );
    expect(html('[bank.example/login](https://evil.example/)')).toContain(
      '<span class="link-host" data-no-anchor=""> (evil.example)</span>',
    );
    expect(html('[https://www.bank.example](https://bank.example/)')).not.toContain('link-host');
    expect(html('[Read the docs](https://bank.example/)')).not.toContain('link-host');
  });

  it('draws only images that the text itself carries', () => {
    const pixel = 'data:image/png;base64,iVBORw0KGgo=';
    expect(html(`![dot](${pixel})`)).toContain(`<img src="${pixel}" alt="dot">`);
    expect(renderMarkdown(`![dot](${pixel})`).plainText).toBe('dot\n');
    expect(html('![x](pictures/a.png)')).toContain('Image not loaded');
    expect(html('[![build](https://ci.example/b.svg)](https://ci.example)').match(/<a /g)).toHaveLength(1);
  });

  it('marks direction and invisible characters in code, and overrides everywhere', () => {
    expect(html('`if\u202e (x)\u200b`')).toContain('<span class="invisible-mark" data-code-point="U+202E">');
    expect(html('`a\u200bb`')).toContain('data-code-point="U+200B"');
    expect(html('family 👩‍👩‍👧‍👦 and می\u200cخواهم')).not.toContain('invisible-mark');
    expect(text('`a\u200bb`')).toBe('a\u200bb\n');
  });

  it('keeps the text of elements that it does not allow, apart from what stands beside it', () => {
    expect(text('<details><summary>Why</summary>Because.</details>')).toBe('Why\nBecause.\n');
    expect(text('<section>one</section><section>two</section>')).toBe('one\ntwo\n');
    expect(text('press <button>Save</button> now')).toBe('press Save now\n');
  });

  it('bounds spans and sizes', () => {
    const page = html(
      '<table><tr><td colspan="5" rowspan="9999">x</td></tr></table>\n\n<ol start="3"><li>y</ol>',
    );
    expect(page).toMatch(/<td colspan="5" data-start/);
    expect(page).toContain('<ol start="3">');
  });

  it('sets the offset of every block that holds text', () => {
    const page = renderMarkdown('# T\n\n- a\n\n  b\n\n| c | d |\n| - | - |\n| e | f |\n\n> g\n\n```\nh\n```');
    for (const [, start, first] of page.html.matchAll(/data-start="(\d+)"[^>]*>(?:<code>)?(\w)/g)) {
      expect(page.plainText[Number(start)]).toBe(first);
    }
    expect(page.html.match(/data-start/g)).toHaveLength(9);
  });

  it('refuses nesting deeper than 100 levels with a sentence', () => {
    expect(() => renderMarkdown(`${'> '.repeat(100)}x`)).not.toThrow();
    expect(() => renderMarkdown(`${'> '.repeat(101)}x`)).toThrow(InvalidInput);
    const list = Array.from({ length: 101 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
    expect(() => renderMarkdown(list)).toThrow(
      'markdown: Lists and quotes are nested deeper than 100 levels.',
    );
  });

  it('refuses what is nested so deep in HTML that no step could walk it', () => {
    expect(() => renderMarkdown('<div>\n'.repeat(5_000))).toThrow(
      'markdown: The document takes too long to render. Make it smaller or less nested.',
    );
  });

  it.each([
    ['opening brackets', '['.repeat(20_000)],
    ['emphasis', '*a _b '.repeat(4_000)],
    ['links', '[a](b'.repeat(4_000)],
    ['images', '![a]('.repeat(4_000)],
    ['comments that never end', '<!-- '.repeat(4_000)],
    ['backticks', `${'`'.repeat(20_000)}a${'`'.repeat(19_999)}`],
    ['one word of 64 KB', 'x'.repeat(65_536)],
    ['10,000 headings', '# h\n'.repeat(10_000)],
    ['mentions', `**R1: x**\n\n${'R1 '.repeat(10_000)}`],
    ['decision blocks', '<!-- decision: a -->\n\n- a\n\n<!-- /decision -->\n\n'.repeat(1_000)],
  ])('documents 12: %s come to an end', (_, markdown) => {
    expect(() => renderMarkdown(markdown)).not.toThrow();
  });

  it('renders a text of comments and removed elements to nothing', () => {
    expect(renderMarkdown('<!-- -->\n\n<script>x</script>')).toMatchObject({
      plainText: '',
      outline: [],
      sections: [],
    });
  });
});
