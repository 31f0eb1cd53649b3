import { readFilePath } from '../domain/file-path.js';
import { reasonToSkip } from '../domain/file-set-policy.js';
import type { EntryRules } from './ports/archive-reader.js';

/** The rules of the file set policy, as far as names alone tell. */
export const archiveRules: EntryRules = {
  // Folders are often packed together with git's own, which is left out rather than refused.
  problemOf: (path) => readFilePath(path.replace(/(^|\/)\.git(?=\/|$)/g, '$1git')).problem,
  skipReasonOf: (path) => reasonToSkip(path, null),
};
