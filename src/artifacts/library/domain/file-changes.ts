import { DomainError, Problems } from '#libs/kernel/errors.js';
import { readFilePath } from './file-path.js';

export const CHANGES_MAX = 20;
export const WRITE_BYTES = 1_048_576;
export const BASE64_BYTES = 262_144;
export const MESSAGE_MAX = 1_000;

/** One operation of an edit, as it was given; which fields it needs depends on `op`. */
export interface GivenChange {
  readonly op?: string | null;
  readonly path?: string | null;
  readonly oldText?: string | null;
  readonly newText?: string | null;
  readonly replaceAll?: boolean | null;
  readonly expectedReplacements?: number | null;
  readonly content?: string | null;
  readonly encoding?: string | null;
  readonly fromPath?: string | null;
  readonly toPath?: string | null;
}

export type FileChange =
  | {
      readonly op: 'str_replace';
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      readonly replaceAll: boolean;
      readonly expectedReplacements: number | null;
    }
  | { readonly op: 'write'; readonly path: string; readonly content: Buffer }
  | { readonly op: 'delete'; readonly path: string }
  | { readonly op: 'move'; readonly fromPath: string; readonly toPath: string };

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  str_replace: ['path', 'oldText', 'newText', 'replaceAll', 'expectedReplacements'],
  write: ['path', 'content', 'encoding'],
  delete: ['path'],
  move: ['fromPath', 'toPath'],
};

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reads the operations of an edit; what is wrong with any of them is named with its place. */
export function readChanges(problems: Problems, given: readonly GivenChange[]): FileChange[] {
  if (given.length < 1 || given.length > CHANGES_MAX) {
    problems.add('changes', `must hold 1 to ${CHANGES_MAX} operations`);
    return [];
  }
  return given.flatMap((change, index) => readChange(problems, `changes[${index}]`, change) ?? []);
}

/** The message of an edit. Lines that look like trailers of ours or of an agent would lie about who wrote it. */
export function readCommitMessage(problems: Problems, given: string | null | undefined): string {
  const message = (given ?? '').trim();
  if (message === '') problems.add('commitMessage', 'must not be empty');
  if ([...message].length > MESSAGE_MAX) {
    problems.add('commitMessage', `must be at most ${MESSAGE_MAX} characters`);
  }
  if (/^\s*(co-authored-by:|agent-id:|loupe-)/im.test(message)) {
    problems.add('commitMessage', 'must have no line that starts with Co-Authored-By:, Agent-Id: or Loupe-');
  }
  return message;
}

function readChange(problems: Problems, place: string, given: GivenChange): FileChange | null {
  const op = given.op ?? '';
  const fields = FIELDS[op];
  if (!fields) {
    problems.add(`${place}.op`, 'must be one of str_replace, write, delete, move');
    return null;
  }
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'op' && value != null && !fields.includes(name)) {
      problems.add(`${place}.${name}`, `does not apply to ${op}`);
    }
  }
  const path = (field: 'path' | 'fromPath' | 'toPath'): string =>
    readPath(problems, `${place}.${field}`, given[field]);
  if (op === 'delete') return { op, path: path('path') };
  if (op === 'move') return { op, fromPath: path('fromPath'), toPath: path('toPath') };
  if (op === 'write') {
    return { op, path: path('path'), content: readContent(problems, place, given) };
  }
  return readReplace(problems, place, given, path('path'));
}

function readPath(problems: Problems, argument: string, given: string | null | undefined): string {
  if (given == null) {
    problems.add(argument, 'is required');
    return '';
  }
  const read = readFilePath(given);
  if (read.problem === null) return read.path;
  problems.add(argument, read.problem);
  return given;
}

function readContent(problems: Problems, place: string, given: GivenChange): Buffer {
  const { content, encoding } = given;
  if (content == null) {
    problems.add(`${place}.content`, 'is required');
    return Buffer.alloc(0);
  }
  if (encoding == null || encoding === 'utf8') {
    const bytes = Buffer.from(content);
    if (bytes.length > WRITE_BYTES) {
      problems.add(`${place}.content`, `holds ${bytes.length} bytes; the limit is ${WRITE_BYTES}`);
    }
    return bytes;
  }
  if (encoding !== 'base64') {
    problems.add(`${place}.encoding`, 'must be utf8 or base64');
    return Buffer.alloc(0);
  }
  const packed = content.replace(/\s+/g, '');
  if (!BASE64.test(packed)) problems.add(`${place}.content`, 'is not base64');
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.length > BASE64_BYTES) {
    problems.add(`${place}.content`, `holds ${bytes.length} bytes; the limit of base64 is ${BASE64_BYTES}`);
  }
  return bytes;
}

function readReplace(problems: Problems, place: string, given: GivenChange, path: string): FileChange {
  const { oldText, newText, expectedReplacements } = given;
  if (oldText == null || oldText === '') problems.add(`${place}.oldText`, 'must not be empty');
  if (newText == null) problems.add(`${place}.newText`, 'is required');
  const replaceAll = given.replaceAll === true;
  if (expectedReplacements != null && !replaceAll) {
    problems.add(`${place}.expectedReplacements`, 'goes with replaceAll only');
  }
  return {
    op: 'str_replace',
    path,
    oldText: oldText ?? '',
    newText: newText ?? '',
    replaceAll,
    expectedReplacements: expectedReplacements ?? null,
  };
}

/**
 * The text after a replacement. Where every line of the file ends in CRLF, the given texts, which come with LF, are
 * taken in that form. @throws DomainError `invalid` naming the place, with the count.
 */
export function replaced(
  text: string,
  change: Extract<FileChange, { op: 'str_replace' }>,
  place: string,
): string {
  const crlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const form = (given: string): string => (crlf ? given.replace(/\r?\n/g, '\r\n') : given);
  const oldText = form(change.oldText);
  const parts = text.split(oldText);
  const count = parts.length - 1;
  if (count === 0) {
    throw wrong(`${place}.oldText`, `does not occur in ${change.path}; read the file again.`);
  }
  if (!change.replaceAll && count > 1) {
    throw wrong(
      `${place}.oldText`,
      `occurs ${count} times in ${change.path}; add nearby lines or pass replaceAll.`,
    );
  }
  if (change.expectedReplacements !== null && change.expectedReplacements !== count) {
    throw wrong(
      `${place}.expectedReplacements`,
      `is ${change.expectedReplacements}, but oldText occurs ${count} times in ${change.path}.`,
    );
  }
  return parts.join(form(change.newText));
}

/** A refusal of one operation, as one sentence that begins with its place. */
export function wrong(argument: string, sentence: string): DomainError {
  return new DomainError('invalid', 'invalid', `${argument} ${sentence}`, { argument });
}
