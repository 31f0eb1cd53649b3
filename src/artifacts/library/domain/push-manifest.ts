import type { Problems } from '#libs/kernel/errors.js';
import type { SkippedFile } from './artifact-types.js';
import { extensionOf } from './content-kind.js';
import { sortFileSet } from './file-set-policy.js';

/** One file as the client of a push lists it. */
export interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface PushManifest {
  /** In path order. */
  readonly files: readonly ListedFile[];
  readonly skipped: readonly SkippedFile[];
}

/** What one request may bring of a push, when it brings many small files together. Larger files come one by one. */
export const PUSH_BATCH = {
  files: 500,
  /** Of all files together. */
  bytes: 8 * 1024 * 1024,
  /** Of one file. */
  fileBytes: 1024 * 1024,
} as const;

const HASH = /^[0-9a-f]{64}$/;
/** More than any version may hold; what is left out by its name counts here too. */
const LISTED_MAX = 20_000;

/**
 * The manifest of a push: which files are asked for.
 * @throws DomainError `invalid` for an unsafe path, and for two that meet on some disk.
 */
export function readManifest(problems: Problems, given: readonly ListedFile[]): PushManifest {
  if (given.length > LISTED_MAX) {
    problems.add('files', `files lists ${given.length} files; the limit is ${LISTED_MAX}.`);
    return { files: [], skipped: [] };
  }
  for (const [index, { sha256, bytes }] of given.entries()) {
    if (!HASH.test(sha256)) problems.add(`files[${index}].sha256`, 'must be 64 lower-case hex digits');
    if (!Number.isSafeInteger(bytes) || bytes < 0)
      problems.add(`files[${index}].bytes`, 'must be a size in bytes');
  }
  const { stored, skipped } = sortFileSet(given);
  return {
    files: stored.map(({ path, entry }) => ({ path, sha256: entry.sha256, bytes: entry.bytes })),
    skipped,
  };
}

/** What a new artifact of these files is: `markdown` with documents and no page, `app` with a page; else null. */
export function typeOfPush(files: readonly { readonly path: string }[]): 'app' | 'markdown' | null {
  const has = (extension: string): boolean => files.some(({ path }) => extensionOf(path) === extension);
  if (has('html')) return 'app';
  return has('md') ? 'markdown' : null;
}
