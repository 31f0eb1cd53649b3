import type { Readable } from 'node:stream';

export interface StoredBlob {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Private bytes (`platform.md` 15.4). Keys begin with their owner: `feedback/`, `exports/`, `artifacts/`. */
export abstract class BlobStore {
  /** All or nothing: a reader never sees half a blob. @throws DomainError `too-large` past `maxBytes`, with nothing kept. */
  abstract put(
    key: string,
    content: Readable,
    options: { readonly maxBytes: number; readonly contentType: string },
  ): Promise<StoredBlob>;
  /** `range` is inclusive, in bytes. @throws DomainError `not-found`. */
  abstract open(key: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable>;
  abstract exists(key: string): Promise<boolean>;
  /** A missing key is no error. */
  abstract delete(key: string): Promise<void>;
  /** Keys in order, at most 1,000 at a time; `cursor` is the last key seen. */
  abstract list(prefix: string, cursor?: string): Promise<{ keys: string[]; nextCursor: string | null }>;
}
