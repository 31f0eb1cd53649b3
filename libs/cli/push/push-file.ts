import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { codeOf, failed } from '../core/failure.js';

/** Content of one file of a push: on the disk, or made by the canvas compiler. */
export type Content =
  | { readonly kind: 'disk'; readonly absolute: string }
  | { readonly kind: 'made'; readonly bytes: Buffer };

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
  return { path, content: { kind: 'made', bytes: Buffer.from(text) } };
}

/** Reads a file whole. @throws Failure naming the file. */
export async function bytesOf({ path, content }: PushFile): Promise<Buffer> {
  if (content.kind === 'made') return content.bytes;
  try {
    return await readFile(content.absolute);
  } catch (error) {
    throw failed(`cannot read ${path} (${codeOf(error)})`, 'make it readable, or list it in .gitignore');
  }
}

/** Hash and size of a file, without keeping it. @throws Failure naming the file. */
export async function rowOf(file: PushFile): Promise<ManifestRow> {
  const hash = createHash('sha256');
  if (file.content.kind === 'made') {
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
    throw failed(`cannot read ${file.path} (${codeOf(error)})`, 'make it readable, or list it in .gitignore');
  }
}
