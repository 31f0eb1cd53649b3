import type { Readable } from 'node:stream';
import type { FileKind } from '../../domain/artifact-types.js';

/** Bytes under their hash, and what their first bytes say they are. */
export interface ArtifactBlob {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly kind: FileKind;
  /**
   * Told by the first bytes; null for plain text and for binaries that nothing tells. Programs are told too, see
   * `EXECUTABLE` and `SHEBANG`.
   */
  readonly sniffedType: string | null;
}

/** Bytes that somebody says have this hash. */
export interface NamedContent {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly content: Buffer;
}

/**
 * Content-addressed bytes of artifacts over the blob store. The same bytes are stored once. A blob that nothing
 * refers to is collected after 24 hours, so what is put here is safe while a write goes on.
 */
export abstract class ArtifactBlobs {
  /** @throws DomainError `too-large` past `maxBytes`, with nothing kept. */
  abstract put(content: Readable | Uint8Array, options: { readonly maxBytes: number }): Promise<ArtifactBlob>;
  /**
   * Small contents together, as with `put`. One whose bytes have another hash is not kept and not in the answer; the
   * others are.
   */
  abstract putNamed(contents: readonly NamedContent[]): Promise<Map<string, ArtifactBlob>>;
  /** Unknown hashes are left out. */
  abstract describe(hashes: readonly string[]): Promise<Map<string, ArtifactBlob>>;
  /** `range` is inclusive, in bytes. @throws DomainError `unavailable`: `A stored file is damaged.` when it is gone. */
  abstract open(sha256: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable>;
  /**
   * Bytes from `start` up to `end`, of a blob that holds `bytes`; for contents that are read in parts, one after the other.
   * @throws DomainError `unavailable` when they are not all there.
   */
  abstract slice(sha256: string, bytes: number, start: number, end: number): Promise<Buffer>;
  /** The whole blob; for texts within limits. @throws as `open`; `too-large` past `maxBytes`. */
  abstract read(sha256: string, maxBytes: number): Promise<Buffer>;
}
