import type { FileRow } from '../shapes';

/** A line of the tree as it is shown: folders before their files. */
export interface FileNode {
  readonly path: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  /** Null for a folder. */
  readonly file: FileRow | null;
  readonly open: boolean;
}

/** The lines of a tree whose folders are open but for those in `closed`, in path order with folders first. */
export function nodesOf(files: readonly FileRow[], closed: ReadonlySet<string>): FileNode[] {
  const root = folder();
  for (const file of files) {
    let at = root;
    const parts = file.path.split('/');
    for (const part of parts.slice(0, -1)) {
      let next = at.folders.get(part);
      if (!next) {
        next = folder();
        at.folders.set(part, next);
      }
      at = next;
    }
    at.files.push(file);
  }
  const lines: FileNode[] = [];
  list(root, '', 1, closed, lines);
  return lines;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: FileRow[];
}

function folder(): Folder {
  return { folders: new Map(), files: [] };
}

function list(
  at: Folder,
  prefix: string,
  level: number,
  closed: ReadonlySet<string>,
  lines: FileNode[],
): void {
  for (const [name, inside] of [...at.folders].sort(([a], [b]) => a.localeCompare(b))) {
    const path = `${prefix}${name}`;
    const open = !closed.has(path);
    lines.push({ path, name, level, file: null, open });
    if (open) list(inside, `${path}/`, level + 1, closed, lines);
  }
  for (const file of [...at.files].sort((a, b) => a.path.localeCompare(b.path))) {
    lines.push({ path: file.path, name: file.path.slice(prefix.length), level, file, open: false });
  }
}

/** What is shown when nothing was chosen: the entry, else the first text, else the first file. */
export function firstFile(files: readonly FileRow[], entry: string | null): string | null {
  return (
    files.find(({ path }) => path === entry)?.path ??
    files.find(({ kind }) => kind === 'text')?.path ??
    files[0]?.path ??
    null
  );
}
