import type { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { codePoints, quoted } from '#libs/kernel/text.js';
import { readable } from '#libs/kernel/words.js';
import {
  ARCHIVE_REASON_CHARACTERS,
  COMMENT_BYTES,
  DECISION_NOTE_CHARACTERS,
  DESCRIPTION_CHARACTERS,
  REPLACEMENT_CHARACTERS,
  TITLE_CHARACTERS,
  VERDICT_NOTE_CHARACTERS,
} from './limits.js';
import { tidyMarkdown, utf8Length } from './markdown-text.js';

/** Absent and null are the same at every door. */
export type Given<T> = T | null | undefined;

const NUL = '\u0000';
const NUL_SENTENCE = 'The text must not contain the character U+0000.';
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/u;

/** A title: trimmed, one line. */
export function readTitle(problems: Problems, argument: string, value: Given<string>): string {
  const title = tidyMarkdown(value ?? '').trim();
  if (readable(title).trim() === '') problems.add(argument, 'A document title must not be blank.');
  else if (codePoints(title) > TITLE_CHARACTERS)
    problems.add(argument, `A document title must be at most ${TITLE_CHARACTERS} characters.`);
  else if (LINE_BREAK.test(title)) problems.add(argument, 'A document title must be one line.');
  else if (title.includes(NUL)) problems.add(argument, NUL_SENTENCE);
  return title;
}

/** What a version is, or what changed in it; blank is null, the text `0` is a real description. */
export function readDescription(problems: Problems, argument: string, value: Given<string>): string | null {
  return optionalText(problems, argument, value, DESCRIPTION_CHARACTERS, 'A description');
}

/** What changed: required on every version after the first. */
export function readRevisionDescription(problems: Problems, argument: string, value: Given<string>): string {
  const description = readDescription(problems, argument, value);
  if (description === null) problems.add(argument, 'Say what changed in this version.');
  return description ?? '';
}

/** Why a document leaves the list. Agents have to say. */
export function readArchiveReason(
  problems: Problems,
  argument: string,
  value: Given<string>,
  by: 'agent' | 'person',
): string | null {
  const reason = optionalText(problems, argument, value, ARCHIVE_REASON_CHARACTERS, 'A reason');
  if (reason === null && by === 'agent') problems.add(argument, 'Say why the document is archived.');
  return reason;
}

/** Null when it is blank. What is wrong with it is added to `problems`. */
export function readVerdictNote(problems: Problems, argument: string, value: Given<string>): string | null {
  return optionalText(problems, argument, value, VERDICT_NOTE_CHARACTERS, 'A note');
}

/** Null when it is blank. What is wrong with it is added to `problems`. */
export function readDecisionNote(problems: Problems, argument: string, value: Given<string>): string | null {
  return optionalText(problems, argument, value, DECISION_NOTE_CHARACTERS, 'A note');
}

/** Body of a comment or a reply. `optional` is for a comment that suggests a wording. */
export function readBody(
  problems: Problems,
  argument: string,
  value: Given<string>,
  what: 'comment' | 'reply',
  optional = false,
): string {
  const body = tidyMarkdown(value ?? '');
  if (body.trim() === '') {
    if (optional) return '';
    problems.add(argument, `A ${what} must not be blank.`);
  } else if (utf8Length(body) > COMMENT_BYTES)
    problems.add(argument, `A ${what} must be at most ${COMMENT_BYTES} bytes.`);
  else if (body.includes(NUL)) problems.add(argument, NUL_SENTENCE);
  return body;
}

/** Suggested wording; the empty text strikes the passage, null is a plain comment. */
export function readReplacement(problems: Problems, argument: string, value: Given<string>): string | null {
  if (value === null || value === undefined) return null;
  const replacement = tidyMarkdown(value);
  if (codePoints(replacement) > REPLACEMENT_CHARACTERS)
    problems.add(argument, `A suggested wording must be at most ${REPLACEMENT_CHARACTERS} characters.`);
  else if (replacement.includes(NUL)) problems.add(argument, NUL_SENTENCE);
  return replacement;
}

/** The id in lower case. */
export function readId(problems: Problems, argument: string, value: Given<string>): string {
  if (value == null) problems.add(argument, 'is required.');
  else if (!isUuid(value)) problems.add(argument, `${quoted(value)} is not a valid id.`);
  return (value ?? '').toLowerCase();
}

function optionalText(
  problems: Problems,
  argument: string,
  value: Given<string>,
  limit: number,
  what: string,
): string | null {
  const text = tidyMarkdown(value ?? '').trim();
  if (text === '') return null;
  if (codePoints(text) > limit) problems.add(argument, `${what} must be at most ${limit} characters.`);
  else if (text.includes(NUL)) problems.add(argument, NUL_SENTENCE);
  return text;
}

/** Number of a version, from 1. */
export function readVersion(problems: Problems, argument: string, value: Given<number>): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 2_147_483_647)
    problems.add(argument, 'Name the version by its number, from 1.');
  return value ?? 0;
}
