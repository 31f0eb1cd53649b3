import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, failed } from './failure.js';

/**
 * Writes a whole file so that a reader, or a power cut, sees the old text or the new one: temp file, fsync, rename.
 * @throws Failure when the folder cannot be written or the disk is full.
 */
export function writeAtomically(path: string, text: string, mode = 0o600): void {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw failed(`cannot write ${path} (${codeOf(error)})`, `make ${folder} writable and free some space`);
  }
}

/** Makes a folder that only its owner may look into. @throws Failure when it cannot be made. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failed(
      `cannot make the folder ${path} (${codeOf(error)})`,
      'make it writable, or name another with --config-dir',
    );
  }
}
