import { Problems } from '#libs/kernel/errors.js';
import { cleanMarkdown, MAX_MARKDOWN_BYTES, tidyMarkdown } from './markdown-text.js';

function clean(text: string): { cleaned: string; refusal: string | null } {
  const problems = new Problems();
  const cleaned = cleanMarkdown(text, problems);
  try {
    problems.throwIfAny();
    return { cleaned, refusal: null };
  } catch (error) {
    return { cleaned, refusal: (error as Error).message };
  }
}

describe('Cleaning Markdown', () => {
  it('documents 15.7: every line end becomes LF', () => {
    expect(clean('a\r\nb\rc\n\r\nd').cleaned).toBe('a\nb\nc\n\nd');
  });

  it('takes one leading byte order mark and leaves others', () => {
    expect(tidyMarkdown('\uFEFF\uFEFFa\uFEFF')).toBe('\uFEFFa\uFEFF');
  });

  it('replaces lone surrogates and leaves pairs', () => {
    expect(tidyMarkdown('a\uD83Db \uDE00c 😀 \uDE00\uD83D')).toBe('a\uFFFDb \uFFFDc 😀 \uFFFD\uFFFD');
  });

  it('documents 15.7: refuses U+0000', () => {
    expect(clean('a\u0000b').refusal).toBe('markdown: The Markdown must not contain the character U+0000.');
  });

  it('refuses blank text', () => {
    expect(clean(' \r\n\t\u00a0').refusal).toBe('markdown: The Markdown must not be blank.');
  });

  it('documents 15.5: accepts 1,048,575 bytes and refuses one more with both numbers', () => {
    expect(clean('x'.repeat(MAX_MARKDOWN_BYTES)).refusal).toBeNull();
    expect(clean(`${'x'.repeat(MAX_MARKDOWN_BYTES - 1)}é`).refusal).toBe(
      'markdown: The Markdown is 1048576 bytes. The limit is 1048575.',
    );
  });

  it('counts after clean-up', () => {
    expect(clean(`\uFEFF${'x\r\n'.repeat(MAX_MARKDOWN_BYTES / 2 - 1)}`).refusal).toBeNull();
  });
});
