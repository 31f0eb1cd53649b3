import type { Problems } from '#libs/kernel/errors.js';

/** Largest Markdown of a version, in UTF-8 bytes after clean-up. */
export const MAX_MARKDOWN_BYTES = 1_048_575;

const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Line ends become LF, one leading byte order mark goes, a lone surrogate becomes U+FFFD.
 * Nothing else changes and nothing is cut.
 */
export function tidyMarkdown(text: string): string {
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return withoutMark
    .replace(/\r\n?/g, '\n')
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

/**
 * Cleans Markdown and notes what is wrong with it under `argument`. The result is only fit to be
 * stored when no problem was added.
 */
export function cleanMarkdown(text: string, problems: Problems, argument = 'markdown'): string {
  const cleaned = tidyMarkdown(text);
  if (cleaned.trim() === '') {
    problems.add(argument, 'The Markdown must not be blank.');
    return cleaned;
  }
  if (cleaned.includes('\u0000'))
    problems.add(argument, 'The Markdown must not contain the character U+0000.');
  const bytes = utf8Length(cleaned);
  if (bytes > MAX_MARKDOWN_BYTES) {
    problems.add(argument, `The Markdown is ${bytes} bytes. The limit is ${MAX_MARKDOWN_BYTES}.`);
  }
  return cleaned;
}
