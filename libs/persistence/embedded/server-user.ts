import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user of the system that PostgreSQL runs as, where Loupe itself runs as root. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Null when this process is not root: then the server runs as the same user.
 * @throws Error when there is no such user and none can be made
 */
export function unprivilegedUser(): ServerUser | null {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'loupe-postgres']) {
    const found = lookUp(name);
    if (found) return found;
  }
  execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'loupe-postgres']);
  const made = lookUp('loupe-postgres');
  if (!made)
    throw new Error('No unprivileged user for PostgreSQL could be made. Create the user "postgres".');
  return made;
}

function lookUp(name: string): ServerUser | null {
  try {
    const id = (flag: string): number =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { name, uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** The sentence for a file that the user cannot reach: it names the outermost folder that is closed. */
export function closedPathMessage(path: string, user: ServerUser, advice: string): string {
  let closed = path;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(folder) && !mayEnter(folder, user)) closed = folder;
  }
  return (
    `PostgreSQL does not run as root, so Loupe runs it as the user "${user.name}", ` +
    `and that user cannot enter ${closed}. ${advice}`
  );
}

function mayEnter(folder: string, user: ServerUser): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
