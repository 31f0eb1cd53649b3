import { createHash } from 'node:crypto';
import type { ManifestFile } from './artifact-types.js';

/** Equal sets of files have equal digests. `files` are in path order. */
export function manifestDigest(files: readonly Pick<ManifestFile, 'path' | 'sha256'>[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256 } of files) hash.update(`${path}\0${sha256}\n`);
  return hash.digest('hex');
}

export type Change = 'added' | 'removed' | 'changed';

/** Paths that differ between two sets in path order, each with how. */
export function changesBetween(
  from: readonly Pick<ManifestFile, 'path' | 'sha256'>[],
  to: readonly Pick<ManifestFile, 'path' | 'sha256'>[],
): { readonly path: string; readonly change: Change }[] {
  const before = new Map(from.map(({ path, sha256 }) => [path, sha256]));
  const after = new Set(to.map(({ path }) => path));
  const changes: { path: string; change: Change }[] = [];
  for (const { path, sha256 } of to) {
    const old = before.get(path);
    if (old === undefined) changes.push({ path, change: 'added' });
    else if (old !== sha256) changes.push({ path, change: 'changed' });
  }
  for (const { path } of from) if (!after.has(path)) changes.push({ path, change: 'removed' });
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Kept of the files that were left out; beyond it only their number is. */
export const SKIPPED_KEPT = 500;
