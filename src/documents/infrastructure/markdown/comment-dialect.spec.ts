import { renderCommentMarkdown } from './comment-dialect.js';

describe('The dialect of comments', () => {
  it('renders paragraphs, emphasis, code, links and lists', () => {
    expect(
      renderCommentMarkdown(
        'One *two* **three** `four`\n\n- a\n- b\n\n```ts\nx\n```\n\n[l](https://x.example) https://y.example',
      ),
    ).toBe(
      '<p dir="auto">One <em>two</em> <strong>three</strong> <code>four</code></p>\n' +
        '<ul dir="auto">\n<li>a</li>\n<li>b</li>\n</ul>\n' +
        '<pre data-language="ts" dir="auto"><code>x\n</code></pre>\n' +
        '<p dir="auto"><a href="https://x.example/" target="_blank" rel="noopener noreferrer nofollow ugc">l</a> ' +
        '<a href="https://y.example/" target="_blank" rel="noopener noreferrer nofollow ugc">https://y.example</a></p>',
    );
  });

  it.each([
    '# Title',
    '> quote',
    '| a |\n| - |',
    '![x](https://x.example/i.png)',
    '<b>bold</b>',
    '***',
    '<!-- c -->',
    '[^1]',
  ])('shows %s as it was written', (written) => {
    const shown = renderCommentMarkdown(written)
      .replace(/&#x3C;/g, '<')
      .replace(/<\/?(?:p|a)\b[^>]*>/g, '');
    expect(shown).toContain(written.startsWith('!') ? '!x' : written.split('\n')[0]);
  });

  it('comes to an end, whatever it is fed', () => {
    for (const sign of ['- ', '* a\n', '[', '*', '`', '*a', '_a', '[a](', '](a', '> ', '1. ']) {
      const body = sign.repeat(65_536 / sign.length);
      expect(() => renderCommentMarkdown(body)).not.toThrow();
    }
    const deep = Array.from({ length: 60 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
    expect(renderCommentMarkdown(deep)).toContain('a');
  });
});
