import { DomainError } from '#libs/kernel/errors.js';
import type { SkippedFile } from './artifact-types.js';
import { EXECUTABLE, extensionOf, SHEBANG } from './content-kind.js';
import { foldedPath, readFilePath } from './file-path.js';

/** What a source says an entry is, where it is no plain file. */
export type SpecialEntry = 'link' | 'submodule' | 'device' | 'encrypted';

export interface FileSetEntry {
  /** As the source names it. */
  readonly path: string;
  readonly special?: SpecialEntry;
  /** Told by the first bytes, where they are known. */
  readonly sniffedType?: string | null;
}

export interface SortedFileSet<Entry> {
  /** In path order, with the path as it is stored. */
  readonly stored: readonly { readonly path: string; readonly entry: Entry }[];
  readonly skipped: readonly SkippedFile[];
}

const SPECIAL: Readonly<Record<SpecialEntry, string>> = {
  link: 'is a symbolic link',
  submodule: 'is a git submodule',
  device: 'is not a regular file',
  encrypted: 'is encrypted',
};

const LEFT_OUT_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['.git', 'version control'],
  ['node_modules', 'dependencies'],
  ['__macosx', 'system file'],
]);

const SYSTEM_FILES = new Set(['.ds_store', 'thumbs.db']);

const PROGRAM_EXTENSIONS = new Set('sh bash bat cmd ps1 exe dll so dylib msi com scr jar'.split(' '));

/**
 * Which files of a set are stored, which are left out and why; the same for every way in (`artifacts.md` 3.4).
 * @throws DomainError `invalid` `unsafe_path` that names the path, for the whole set.
 */
export function sortFileSet<Entry extends FileSetEntry>(entries: readonly Entry[]): SortedFileSet<Entry> {
  const stored: { path: string; entry: Entry }[] = [];
  const skipped: SkippedFile[] = [];
  for (const entry of entries) {
    const path = safePathOf(entry);
    const reason = reasonToSkip(path, entry.sniffedType ?? null);
    if (reason === null) stored.push({ path, entry });
    else skipped.push({ path, reason });
  }
  stored.sort((a, b) => byBytes(a.path, b.path));
  refuseCollisions(stored.map(({ path }) => path));
  return { stored, skipped };
}

/** Why a file is left out of versions, or null; `path` is safe. */
export function reasonToSkip(path: string, sniffedType: string | null): string | null {
  const segments = path.toLowerCase().split('/');
  for (const segment of segments) {
    const reason = LEFT_OUT_FOLDERS.get(segment);
    if (reason !== undefined) return reason;
  }
  const name = segments.at(-1)!;
  if (SYSTEM_FILES.has(name)) return 'system file';
  if (name === '.env' || name.startsWith('.env.')) return 'may hold secrets';
  if (PROGRAM_EXTENSIONS.has(extensionOf(path))) return 'executable';
  return sniffedType === EXECUTABLE || sniffedType === SHEBANG ? 'executable' : null;
}

/** The sentence that refuses a path; also for doors that meet it before its content. */
export function unsafePath(path: string, problem: string): DomainError {
  const shown = path.length > 300 ? `${path.slice(0, 300)}…` : path;
  return new DomainError('invalid', 'unsafe_path', `The path ${JSON.stringify(shown)} ${problem}.`);
}

function safePathOf(entry: FileSetEntry): string {
  // Git's own folder is left out rather than refused, in its one plain spelling: folders are often packed with it.
  const withoutGit = entry.path.replace(/(^|\/)\.git(?=\/|$)/g, '$1git');
  const read = readFilePath(withoutGit);
  if (read.problem !== null) throw unsafePath(entry.path, read.problem);
  if (entry.special) throw unsafePath(entry.path, SPECIAL[entry.special]);
  return entry.path.normalize('NFC');
}

function refuseCollisions(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = foldedPath(path);
    const other = seen.get(folded);
    if (other === path) throw unsafePath(path, 'occurs twice');
    if (other !== undefined) throw unsafePath(path, `differs from ${JSON.stringify(other)} in case alone`);
    seen.set(folded, path);
  }
  for (const [folded, path] of seen) {
    for (let slash = folded.indexOf('/'); slash > 0; slash = folded.indexOf('/', slash + 1)) {
      if (seen.has(folded.slice(0, slash)))
        throw unsafePath(path, 'lies in a folder that is a file of the set too');
    }
  }
}

/** Path order is that of UTF-8 bytes, as git and the database have it. */
export function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
