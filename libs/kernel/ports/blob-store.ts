import { Readable } from 'node:stream';
import { eachAtMost } from '../each-at-most.js';

const PUT_AT_ONCE = 16;

export interface StoredBlob {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A content that is small enough to be held in memory. */
export interface SmallBlob {
  readonly key: string;
  readonly content: Uint8Array;
}

/** Private bytes (`platform.md` 15.4). Keys begin with their owner: `feedback/`, `exports/`, `artifacts/`. */
export abstract class BlobStore {
  /** All or nothing: a reader never sees half a blob. @throws DomainError `too-large` past `maxBytes`, with nothing kept. */
  abstract put(
    key: string,
    content: Readable,
    options: { readonly maxBytes: number; readonly contentType: string },
  ): Promise<StoredBlob>;
  /**
   * Many small contents together, which costs less than one after the other. When it resolves all are there, also after a
   * power cut; when it fails, each of them is there or not, and none in half.
   */
  async putAll(blobs: readonly SmallBlob[], options: { readonly contentType: string }): Promise<void> {
    await eachAtMost(PUT_AT_ONCE, blobs, ({ key, content }) =>
      this.put(key, Readable.from([content]), { ...options, maxBytes: content.byteLength }),
    );
  }
  /** `range` is inclusive, in bytes. @throws DomainError `not-found`. */
  abstract open(key: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable>;
  abstract exists(key: string): Promise<boolean>;
  /** A missing key is no error. */
  abstract delete(key: string): Promise<void>;
  /** Keys in order, at most 1,000 at a time; `cursor` is the last key seen. */
  abstract list(prefix: string, cursor?: string): Promise<{ keys: string[]; nextCursor: string | null }>;
}
