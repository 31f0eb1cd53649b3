import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { codeOf, type Failure, failed } from '../core/failure.js';

/** Content of one file of a push: on the disk, or in memory because it was read already or made by the canvas compiler. */
export type Content =
  | { readonly kind: 'disk'; readonly absolute: string }
  | { readonly kind: 'held'; readonly bytes: Buffer };

/** Of one file that is held, and of all together; in bytes. */
const HELD_FILE_BYTES = 1024 * 1024;
const HELD_BYTES = 64 * 1024 * 1024;
const HASHED_AT_ONCE = 8;

export interface PushFile {
  /** NFC, with `/` between its segments. */
  readonly path: string;
  readonly content: Content;
}

/** Row of the manifest that the server gets. */
export interface ManifestRow {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export function madeFile(path: string, text: string | Buffer): PushFile {
  return { path, content: { kind: 'held', bytes: Buffer.from(text) } };
}

/** Reads a file whole. @throws Failure naming the file. */
export async function bytesOf({ path, content }: PushFile): Promise<Buffer> {
  if (content.kind === 'held') return content.bytes;
  try {
    return await readFile(content.absolute);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Hashes and sizes of files, with the files. Small ones are read once and kept until they are sent, as many as there is
 * room for. @throws Failure naming the file.
 */
export async function listed(
  files: readonly PushFile[],
): Promise<{ readonly rows: readonly ManifestRow[]; readonly files: readonly PushFile[] }> {
  let room = HELD_BYTES;
  const kept = files.map((file) => {
    const held = heldOf(file, Math.min(room, HELD_FILE_BYTES));
    if (held !== file && held.content.kind === 'held') room -= held.content.bytes.length;
    return held;
  });
  const rows: ManifestRow[] = [];
  for (let at = 0; at < kept.length; at += HASHED_AT_ONCE)
    rows.push(...(await Promise.all(kept.slice(at, at + HASHED_AT_ONCE).map(rowOf))));
  return { rows, files: kept };
}

/** The file with its bytes when it is no larger than `most`; nothing else is done meanwhile, so it is read at once. */
function heldOf(file: PushFile, most: number): PushFile {
  if (file.content.kind === 'held') return file;
  const { absolute } = file.content;
  try {
    if (statSync(absolute).size > most) return file;
    return { path: file.path, content: { kind: 'held', bytes: readFileSync(absolute) } };
  } catch (error) {
    throw unreadable(file.path, error);
  }
}

async function rowOf(file: PushFile): Promise<ManifestRow> {
  const hash = createHash('sha256');
  if (file.content.kind === 'held') {
    const { bytes } = file.content;
    return { path: file.path, sha256: hash.update(bytes).digest('hex'), bytes: bytes.length };
  }
  try {
    const { size } = await stat(file.content.absolute);
    if (size === 0) return { path: file.path, sha256: hash.digest('hex'), bytes: 0 };
    let bytes = 0;
    for await (const chunk of createReadStream(file.content.absolute)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    return { path: file.path, sha256: hash.digest('hex'), bytes };
  } catch (error) {
    throw unreadable(file.path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  return failed(`cannot read ${path} (${codeOf(error)})`, 'make it readable, or list it in .gitignore');
}
