import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { codeOf, reasonOf } from './failure.js';

export const PROJECT_FILE = '.loupe.yaml';
const MAX_BYTES = 64 * 1024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `.loupe.yaml` of a folder (`cli.md` 3.1): names the project of the repository. */
export type ProjectFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'good'; readonly project: string; readonly instance: string | null };

/** Looks into the folder itself, never into its parents. */
export function readProjectFile(folder: string): ProjectFile {
  const path = join(folder, PROJECT_FILE);
  try {
    if (statSync(path).size > MAX_BYTES) return { kind: 'broken', why: 'it is larger than 64 KiB' };
    return understood(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'missing' };
    return { kind: 'broken', why: codeOf(error) || reasonOf(error) };
  }
}

function understood(text: string): ProjectFile {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return { kind: 'broken', why: reasonOf(error) };
  }
  const { project, instance } = (value ?? {}) as { project?: unknown; instance?: unknown };
  if (typeof project !== 'string' || !isProjectId(project)) {
    return { kind: 'broken', why: '`project` must be the id of a project (a uuid)' };
  }
  if (instance !== undefined && typeof instance !== 'string') {
    return { kind: 'broken', why: '`instance` must be an address' };
  }
  return { kind: 'good', project: project.toLowerCase(), instance: instance ?? null };
}

/** Changes when the file may have changed. */
export function stampOf(folder: string): string {
  try {
    const { mtimeMs, size, ino, ctimeMs } = statSync(join(folder, PROJECT_FILE));
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

/** A project is named by its UUID alone; names and slugs may change. */
export function isProjectId(text: string): boolean {
  return UUID.test(text);
}
