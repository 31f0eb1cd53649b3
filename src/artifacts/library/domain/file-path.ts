import { codePoints } from '#libs/kernel/text.js';

const PATH_MAX = 512;
const SEGMENTS_MAX = 20;
const SEGMENT_MAX = 200;

/** Zero-width and bidirectional marks: they make two names look alike, or one look like another. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/** Forms under which Windows and macOS reach the folder `.git`. */
const GIT_FOLDER = /^(\.git|git~[0-9])$/i;

export type ReadPath =
  | { readonly path: string; readonly problem: null }
  | { readonly path: null; readonly problem: string };

/**
 * A path as versions store it: NFC, segments joined by `/`, safe on every system that may check it out
 * (`artifacts.md` 3.4). The problem says what is wrong with the path, for a sentence that begins with it.
 */
export function readFilePath(given: string): ReadPath {
  const path = given.normalize('NFC');
  const problem = problemOf(path);
  return problem === null ? { path, problem: null } : { path: null, problem };
}

/** The same without regard to case, for sets in which no two names may differ in case alone. */
export function foldedPath(path: string): string {
  return path.toUpperCase().toLowerCase().normalize('NFC');
}

function problemOf(path: string): string | null {
  if (path === '') return 'is empty';
  if (/\p{Surrogate}/u.test(path)) return 'is not valid text';
  if (codePoints(path) > PATH_MAX) return `is longer than ${PATH_MAX} characters`;
  if (path.startsWith('/')) return 'is an absolute path';
  if (path.includes('\\')) return 'holds a backslash';
  if (path.includes(':')) return 'holds a colon';
  if (CONTROL.test(path)) return 'holds a control character';
  if (INVISIBLE.test(path)) return 'holds an invisible character';
  const segments = path.split('/');
  if (segments.length > SEGMENTS_MAX) return `has more than ${SEGMENTS_MAX} folders`;
  for (const segment of segments) {
    const problem = problemOfSegment(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOfSegment(segment: string): string | null {
  if (segment === '') return 'has an empty part';
  if (segment === '.' || segment === '..') return `has a part "${segment}"`;
  if (codePoints(segment) > SEGMENT_MAX) return `has a part longer than ${SEGMENT_MAX} characters`;
  if (segment.endsWith('.') || segment.endsWith(' ')) return 'has a part that ends in a dot or a space';
  if (GIT_FOLDER.test(segment)) return 'names the folder of git';
  if (DEVICE.test(segment.split('.')[0]!.trimEnd())) return 'has a part that is a device name on Windows';
  return null;
}
