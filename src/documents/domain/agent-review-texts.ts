import type { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { codePoints } from '#libs/kernel/text.js';
import {
  FINDING_BODY_CHARACTERS,
  FINDING_SECTION_CHARACTERS,
  FINDING_TITLE_CHARACTERS,
  FINDINGS_PER_REVIEW,
  REVIEW_SUMMARY_CHARACTERS,
} from './limits.js';
import { tidyMarkdown } from './markdown-text.js';
import type { Given } from './texts.js';

export const FINDING_ANSWERS = ['fixed', 'not-changed', 'to-owner'] as const;
export type FindingAnswer = (typeof FINDING_ANSWERS)[number];

/** What a reviewer says of one thing. It names a passage by its heading, never a file or a line. */
export interface FindingText {
  readonly title: string;
  readonly body: string;
  readonly section: string | null;
  /** A question for the owner, which the author cannot settle. */
  readonly needsPerson: boolean;
}

export interface FindingAnswerText {
  readonly findingId: string;
  readonly answer: FindingAnswer;
  readonly reason: string | null;
}

/** As a door hands them over: any field may be missing, and unknown ones are refused by name. */
export type GivenFinding = Readonly<Record<string, unknown>>;
export type GivenAnswer = Readonly<Record<string, unknown>>;

const FINDING_FIELDS = ['title', 'body', 'section', 'needsPerson'];
const ANSWER_FIELDS = ['findingId', 'answer', 'reason'];
const PLACES_IN_CODE = ['file', 'line', 'path'];
const REASON_CHARACTERS = 2_000;
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/u;

/** The findings of a review; what is wrong with them is added to `problems`. */
export function readFindings(problems: Problems, value: Given<readonly GivenFinding[]>): FindingText[] {
  if (value === null || value === undefined) {
    problems.add('findings', 'Name the findings; [] when there are none.');
    return [];
  }
  if (value.length > FINDINGS_PER_REVIEW)
    problems.add('findings', `At most ${FINDINGS_PER_REVIEW} findings.`);
  return value.slice(0, FINDINGS_PER_REVIEW).map((given, index) => {
    const at = `findings[${index}]`;
    for (const name of PLACES_IN_CODE) {
      if (given[name] !== undefined) problems.add(`${at}.${name}`, 'A design finding names no file.');
    }
    refuseUnknown(problems, at, given, [...FINDING_FIELDS, ...PLACES_IN_CODE]);
    const title = readText(problems, `${at}.title`, given.title, FINDING_TITLE_CHARACTERS, 'A title');
    if (LINE_BREAK.test(title)) problems.add(`${at}.title`, 'A title must be one line.');
    if (title === '') problems.add(`${at}.title`, 'A title must not be blank.');
    const body = readText(problems, `${at}.body`, given.body, FINDING_BODY_CHARACTERS, 'A body');
    if (body === '') problems.add(`${at}.body`, 'A body must not be blank.');
    return {
      title,
      body,
      section:
        readText(problems, `${at}.section`, given.section, FINDING_SECTION_CHARACTERS, 'A section') || null,
      needsPerson: given.needsPerson === true,
    };
  });
}

/** Null when it is blank. */
export function readSummary(problems: Problems, value: Given<string>): string | null {
  return readText(problems, 'summary', value, REVIEW_SUMMARY_CHARACTERS, 'A summary') || null;
}

/** The answers to findings; what is wrong with them is added to `problems`. */
export function readAnswers(problems: Problems, value: Given<readonly GivenAnswer[]>): FindingAnswerText[] {
  if (value === null || value === undefined || value.length === 0) {
    problems.add('answers', 'Give one answer for each finding.');
    return [];
  }
  if (value.length > FINDINGS_PER_REVIEW) problems.add('answers', `At most ${FINDINGS_PER_REVIEW} answers.`);
  return value.slice(0, FINDINGS_PER_REVIEW).map((given, index) => {
    const at = `answers[${index}]`;
    refuseUnknown(problems, at, given, ANSWER_FIELDS);
    const findingId = typeof given.findingId === 'string' ? given.findingId : '';
    if (!isUuid(findingId))
      problems.add(`${at}.findingId`, `${JSON.stringify(findingId)} is not a valid id.`);
    const answer = FINDING_ANSWERS.find((word) => word === given.answer);
    if (!answer) problems.add(`${at}.answer`, `Use one of: ${FINDING_ANSWERS.join(', ')}.`);
    const reason = readText(problems, `${at}.reason`, given.reason, REASON_CHARACTERS, 'A reason') || null;
    if (answer === 'not-changed' && reason === null) problems.add(`${at}.reason`, 'Say why nothing changes.');
    return { findingId: findingId.toLowerCase(), answer: answer ?? 'fixed', reason };
  });
}

function readText(problems: Problems, argument: string, value: unknown, limit: number, what: string): string {
  const text = tidyMarkdown(typeof value === 'string' ? value : '').trim();
  if (codePoints(text) > limit) problems.add(argument, `${what} must be at most ${limit} characters.`);
  else if (text.includes('\u0000')) problems.add(argument, 'The text must not contain the character U+0000.');
  return text;
}

function refuseUnknown(
  problems: Problems,
  at: string,
  given: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): void {
  const unknown = Object.keys(given).filter((name) => !fields.includes(name));
  if (unknown.length > 0)
    problems.add(at, `has unknown fields: ${unknown.map((name) => name.slice(0, 60)).join(', ')}`);
}
