import type { Problems } from './errors.js';

/** Length as people count it: Unicode code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Line breaks of every system become `\n`. */
export function normaliseLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Characters of a wrong value that a sentence repeats. */
const REPEATED_CHARACTERS = 80;

/** A value as a sentence about it repeats it: in quotes, on one line, and only its beginning when it is long. */
export function quoted(value: string): string {
  const line = value
    .slice(0, 4 * REPEATED_CHARACTERS)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  const beginning = [...line].slice(0, REPEATED_CHARACTERS).join('');
  return `"${beginning}${beginning.length < line.length || line.length < value.length ? '…' : ''}"`;
}

export interface TextRule {
  /** Code points after trimming. */
  readonly max: number;
  /** Refuse a text that is empty after trimming. */
  readonly required?: boolean;
  readonly oneLine?: boolean;
}

/**
 * Text as the product stores it: line breaks normalised, trimmed, without NUL and half surrogates.
 * What breaks the rule is added to `problems`; the cleaned text comes back in any case.
 */
export function cleanText(problems: Problems, argument: string, value: string, rule: TextRule): string {
  const text = normaliseLineBreaks(value).trim();
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    problems.add(argument, 'must be valid text without NUL characters');
  } else if (rule.required && text === '') {
    problems.add(argument, 'must not be empty');
  } else if (rule.oneLine && /[\p{Cc}\u2028\u2029]/u.test(text)) {
    problems.add(argument, 'must be one line without control characters');
  } else if (codePoints(text) > rule.max) {
    problems.add(argument, `must be at most ${rule.max} characters`);
  }
  return text;
}
