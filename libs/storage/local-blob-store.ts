import { createHash, randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { eachAtMost } from '#libs/kernel/each-at-most.js';
import { notFound } from '#libs/kernel/errors.js';
import { BlobStore, type SmallBlob, type StoredBlob } from '#libs/kernel/ports/blob-store.js';
import { requireBlobKey } from './blob-key.js';
import { blobTooLarge } from './blob-refusals.js';

const DRAFT = '.draft-';
const LIST_MAX = 1_000;
/** Waits for the disk overlap: a file system answers many of them with one write. */
const WRITES_AT_ONCE = 16;
/** Folders of blobs are few; more than these are looked at anew. */
const KNOWN_FOLDERS_MAX = 100_000;

/**
 * Blobs as files: written to a temporary file in the same folder, synced, then renamed, so a crash leaves no half blob. The
 * folder is synced too, so that a power cut does not take the name of a file whose bytes are safe.
 */
@Injectable()
export class LocalBlobStore extends BlobStore {
  private readonly root: string;
  /** Folders whose own names are known to be on the disk. */
  private readonly known = new Set<string>();

  constructor(configuration: Configuration) {
    super();
    this.root = configuration.values.blobStorageDir;
  }

  override async put(
    key: string,
    content: Readable,
    options: { readonly maxBytes: number },
  ): Promise<StoredBlob> {
    const path = this.pathOf(key);
    const hash = createHash('sha256');
    let bytes = 0;
    await writeWhole(path, async (file) => {
      for await (const chunk of content as AsyncIterable<Buffer | string>) {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        bytes += data.length;
        if (bytes > options.maxBytes) throw blobTooLarge(options.maxBytes);
        hash.update(data);
        await file.writeFile(data);
      }
    });
    await this.syncFoldersOf([path]);
    return { bytes, sha256: hash.digest('hex') };
  }

  override async putAll(blobs: readonly SmallBlob[]): Promise<void> {
    const files = blobs.map(({ key, content }) => ({ path: this.pathOf(key), content }));
    await eachAtMost(WRITES_AT_ONCE, files, ({ path, content }) =>
      writeWhole(path, (file) => file.writeFile(content)),
    );
    await this.syncFoldersOf(files.map(({ path }) => path));
  }

  /** Brings the names of new files to the disk, and those of folders that were made for them. */
  private async syncFoldersOf(paths: readonly string[]): Promise<void> {
    const folders = new Set(paths.map((path) => dirname(path)));
    const made: string[] = [];
    for (const folder of folders) {
      if (folder === this.root || this.known.has(folder)) continue;
      made.push(folder);
      folders.add(dirname(folder));
    }
    await eachAtMost(WRITES_AT_ONCE, [...folders], async (folder) => {
      const handle = await open(folder, 'r');
      await handle.sync().finally(() => handle.close());
    });
    if (this.known.size > KNOWN_FOLDERS_MAX) this.known.clear();
    for (const folder of made) this.known.add(folder);
  }

  override async open(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw isMissing(error) ? notFound('Content') : error;
    });
    return file.createReadStream(range);
  }

  override async exists(key: string): Promise<boolean> {
    try {
      return (await stat(this.pathOf(key))).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  override async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  override async list(
    prefix: string,
    cursor?: string,
  ): Promise<{ keys: string[]; nextCursor: string | null }> {
    const keys: string[] = [];
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    await this.collect(folder, (key) => {
      if (key.startsWith(prefix) && (cursor === undefined || key > cursor)) keys.push(key);
    });
    keys.sort();
    const page = keys.slice(0, LIST_MAX);
    return { keys: page, nextCursor: keys.length > LIST_MAX ? page.at(-1)! : null };
  }

  private async collect(folder: string, found: (key: string) => void): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await readdir(join(this.root, folder), { withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) await this.collect(`${folder}${entry.name}/`, found);
      else if (entry.isFile() && !entry.name.startsWith(DRAFT)) found(`${folder}${entry.name}`);
    }
  }

  private pathOf(key: string): string {
    return join(this.root, ...requireBlobKey(key).split('/')).replaceAll('/', sep);
  }
}

/** The file is there with all that `write` gave it, on the disk, or not at all. */
async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const draft = join(dirname(path), `${DRAFT}${randomBytes(8).toString('hex')}`);
  const file = await openNew(draft);
  try {
    await write(file);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

/** Its folder is made when it is missing. */
async function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'wx', 0o600);
  });
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
