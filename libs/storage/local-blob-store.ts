import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { notFound } from '#libs/kernel/errors.js';
import { BlobStore, type StoredBlob } from '#libs/kernel/ports/blob-store.js';
import { requireBlobKey } from './blob-key.js';
import { blobTooLarge } from './blob-refusals.js';

const DRAFT = '.draft-';
const LIST_MAX = 1_000;

/** Blobs as files: written to a temporary file in the same folder, synced, then renamed, so a crash leaves no half blob. */
@Injectable()
export class LocalBlobStore extends BlobStore {
  private readonly root: string;

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
    await mkdir(dirname(path), { recursive: true });
    const draft = join(dirname(path), `${DRAFT}${randomBytes(8).toString('hex')}`);
    const file = await open(draft, 'wx', 0o600);
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of content as AsyncIterable<Buffer | string>) {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        bytes += data.length;
        if (bytes > options.maxBytes) {
          throw blobTooLarge(options.maxBytes);
        }
        hash.update(data);
        await file.writeFile(data);
      }
      await file.sync();
      await file.close();
      await rename(draft, path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
      throw error;
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  override async open(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Readable> {
    const path = this.pathOf(key);
    if (!(await exists(path))) throw notFound('Content');
    return createReadStream(path, range);
  }

  override async exists(key: string): Promise<boolean> {
    return exists(this.pathOf(key));
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

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
