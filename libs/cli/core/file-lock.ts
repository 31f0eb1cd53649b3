import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, failed } from './failure.js';
import { processStart } from './process-start.js';

interface Holder {
  readonly pid: number;
  readonly start: string | null;
  readonly nonce: string;
}

const LOOK_AGAIN_MS = 25;
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * A lock between processes: a file that is made exclusively and names its holder. It is taken over only from a holder
 * that is gone, never from one that lives.
 */
export class FileLock {
  private constructor(
    private readonly path: string,
    private readonly nonce: string,
  ) {}

  /** @returns null when a live process still holds it after `waitMs`. */
  static async take(path: string, waitMs: number): Promise<FileLock | null> {
    const end = Date.now() + waitMs;
    for (;;) {
      const lock = FileLock.try(path);
      if (lock) return lock;
      if (Date.now() >= end) return null;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Who holds the lock now, as far as it can be read. */
  static holder(path: string): Holder | null {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Holder;
    } catch {
      return null;
    }
  }

  release(): void {
    if (FileLock.holder(this.path)?.nonce === this.nonce) rmSync(this.path, { force: true });
  }

  private static try(path: string): FileLock | null {
    const nonce = randomUUID();
    const own = `${path}.${nonce}`;
    try {
      writeFileSync(own, JSON.stringify({ pid: process.pid, start: processStart(process.pid), nonce }), {
        mode: 0o600,
        flag: 'wx',
      });
    } catch (error) {
      throw failed(`cannot write ${own} (${codeOf(error)})`, 'make its folder writable');
    }
    try {
      if (linked(own, path) || takenOver(own, path)) return new FileLock(path, nonce);
      return null;
    } finally {
      rmSync(own, { force: true });
    }
  }
}

/** A link is made only when nothing is there, and with its whole text at once. */
function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (NO_LINKS.has(codeOf(error))) return copied(own, path);
    throw failed(`cannot make the lock ${path} (${codeOf(error)})`, 'make its folder writable');
  }
}

/** The same for file systems that know no links; a reader may meet an empty file for a moment, and waits. */
function copied(own: string, path: string): boolean {
  try {
    writeFileSync(path, readFileSync(own), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw failed(`cannot make the lock ${path} (${codeOf(error)})`, 'make its folder writable');
  }
}

/**
 * One process alone may replace one dead lock: whoever makes the file named after the dead one's nonce. It looks again
 * before it acts, so a process that was slow cannot replace the lock of the one that was quicker.
 */
function takenOver(own: string, path: string): boolean {
  const dead = FileLock.holder(path);
  if (!dead || lives(dead)) return false;
  const claim = `${path}.over-${dead.nonce}`;
  if (!linked(own, claim)) {
    const claimant = FileLock.holder(claim);
    if (claimant && !lives(claimant)) rmSync(claim, { force: true });
    return false;
  }
  try {
    if (FileLock.holder(path)?.nonce !== dead.nonce) return false;
    renameSync(own, path);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

function lives({ pid, start }: Holder): boolean {
  const now = processStart(pid);
  return now !== null && (start === null || now === start);
}
