import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { BlobStore, type StoredBlob } from '#libs/kernel/ports/blob-store.js';

/** Blobs in memory, for tests. */
export class MemoryBlobStore extends BlobStore {
  private readonly blobs = new Map<string, Buffer>();

  override async put(
    key: string,
    content: Readable,
    options: { readonly maxBytes: number },
  ): Promise<StoredBlob> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of content as AsyncIterable<Buffer | string>) {
      const data = Buffer.from(chunk as string);
      bytes += data.length;
      if (bytes > options.maxBytes) {
        throw new DomainError(
          'too-large',
          'too_large',
          `The content is larger than ${options.maxBytes} bytes.`,
        );
      }
      chunks.push(data);
    }
    const whole = Buffer.concat(chunks);
    this.blobs.set(key, whole);
    return { bytes, sha256: createHash('sha256').update(whole).digest('hex') };
  }

  override async open(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Readable> {
    const blob = this.blobs.get(key);
    if (!blob) throw notFound('Content');
    return Readable.from([
      range ? blob.subarray(range.start, range.end === undefined ? undefined : range.end + 1) : blob,
    ]);
  }

  override async exists(key: string): Promise<boolean> {
    return this.blobs.has(key);
  }

  override async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }

  override async list(
    prefix: string,
    cursor?: string,
  ): Promise<{ keys: string[]; nextCursor: string | null }> {
    const keys = [...this.blobs.keys()]
      .filter((key) => key.startsWith(prefix) && key > (cursor ?? ''))
      .sort();
    const page = keys.slice(0, 1_000);
    return { keys: page, nextCursor: keys.length > 1_000 ? page.at(-1)! : null };
  }
}
