import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { eachAtMost } from '#libs/kernel/each-at-most.js';
import { DomainError } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Recent } from '#libs/kernel/recent.js';
import { Database } from '#libs/persistence/database.js';
import { type ArtifactBlob, ArtifactBlobs, type NamedContent } from '../application/ports/artifact-blobs.js';
import { ContentSniffer, OCTETS, sniff } from '../domain/content-kind.js';
import { damagedFile } from '../domain/refusals.js';

/** Larger contents wait in a file while they are hashed. */
const IN_MEMORY_BYTES = 1_048_576;
const LOOKS_AT_ONCE = 16;

/** Key of the bytes in the blob store. */
export function blobKey(sha256: string): string {
  return `artifacts/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Of contents that are read in parts: the largest that is kept, and all together; in bytes. */
const KEPT_LARGEST = 2 * 1_048_576;
const KEPT_BYTES = 16 * 1_048_576;

function endOf(range: { readonly end?: number }, content: Buffer): number {
  return range.end === undefined ? content.length : range.end + 1;
}

interface Draft {
  readonly blob: ArtifactBlob;
  readonly reopen: () => Readable;
  readonly discard: () => Promise<void>;
}

/** Bytes in the blob store under their hash; the row says what they are and when somebody last brought them. */
@Injectable()
export class StoredArtifactBlobs extends ArtifactBlobs {
  /** What was read lately, by hash; a hash has one content for ever. */
  private readonly recent = new Recent<Buffer>(KEPT_BYTES, ({ length }) => length);

  constructor(
    private readonly store: BlobStore,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async put(
    content: Readable | Uint8Array,
    options: { readonly maxBytes: number },
  ): Promise<ArtifactBlob> {
    const draft = await draftOf(content, options.maxBytes);
    try {
      await this.keep(draft);
      return draft.blob;
    } finally {
      await draft.discard();
    }
  }

  override async putNamed(contents: readonly NamedContent[]): Promise<Map<string, ArtifactBlob>> {
    const named = new Map<string, { readonly blob: ArtifactBlob; readonly content: Buffer }>();
    for (const { sha256, content } of contents) {
      if (createHash('sha256').update(content).digest('hex') !== sha256) continue;
      named.set(sha256, { blob: { sha256, bytes: content.length, ...sniff(content) }, content });
    }
    // One order for all, so that two who bring the same contents wait for each other and do not block each other.
    const all = [...named.values()].sort((a, b) => (a.blob.sha256 < b.blob.sha256 ? -1 : 1));
    if (all.length > 0) await this.keepAll(all);
    return new Map(all.map(({ blob }) => [blob.sha256, blob]));
  }

  override async describe(hashes: readonly string[]): Promise<Map<string, ArtifactBlob>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.database.query<ArtifactBlob>(
      `SELECT sha256, bytes, kind, sniffed_type AS "sniffedType" FROM artifacts.blob WHERE sha256 = ANY($1)`,
      [hashes],
    );
    return new Map(rows.map((row) => [row.sha256, row]));
  }

  override async open(
    sha256: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Readable> {
    const kept = this.recent.get(sha256);
    if (kept) return Readable.from([range ? kept.subarray(range.start, endOf(range, kept)) : kept]);
    try {
      return await this.store.open(blobKey(sha256), range);
    } catch (error) {
      throw asDamaged(error);
    }
  }

  override async slice(sha256: string, bytes: number, start: number, end: number): Promise<Buffer> {
    const kept = this.recent.get(sha256) ?? (await this.whole(sha256, bytes));
    if (kept) return kept.subarray(start, end);
    const chunks: Buffer[] = [];
    if (end > start) {
      for await (const chunk of (await this.open(sha256, { start, end: end - 1 })) as AsyncIterable<Buffer>) {
        chunks.push(chunk);
      }
    }
    const slice = Buffer.concat(chunks);
    if (slice.length !== end - start) throw damagedFile();
    return slice;
  }

  /** Contents that are read in parts are read once; null for larger ones. */
  private async whole(sha256: string, bytes: number): Promise<Buffer | null> {
    if (bytes === 0 || bytes > KEPT_LARGEST) return null;
    const content = await this.load(sha256, bytes);
    this.recent.put(sha256, content);
    return content;
  }

  override async read(sha256: string, maxBytes: number): Promise<Buffer> {
    const expected = (await this.describe([sha256])).get(sha256);
    if (!expected) throw damagedFile();
    if (expected.bytes > maxBytes) throw tooLarge(maxBytes);
    return this.load(sha256, expected.bytes);
  }

  /** The bytes from the store, which must be as many as they should. */
  private async load(sha256: string, bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let read = 0;
    try {
      for await (const chunk of (await this.open(sha256)) as AsyncIterable<Buffer>) {
        read += chunk.length;
        if (read > bytes) throw damagedFile();
        chunks.push(chunk);
      }
    } catch (error) {
      throw asDamaged(error);
    }
    if (read !== bytes) throw damagedFile();
    return Buffer.concat(chunks);
  }

  /**
   * The row comes first and stays locked until the bytes are there: the collection deletes bytes under the same lock,
   * so it never takes away what was just brought.
   */
  private async keep({ blob, reopen }: Draft): Promise<void> {
    const { sha256, bytes, kind, sniffedType } = blob;
    const write = async (): Promise<void> => {
      // Not waited for on the disk: a row that a power cut takes is written again, and the version that refers to it is
      // committed after it, waiting for both.
      await this.database.query(
        `INSERT INTO artifacts.blob (sha256, bytes, kind, sniffed_type, stored_at)
         SELECT $1, $2, $3, $4, $5 FROM (SELECT set_config('synchronous_commit', 'off', true)) AS hurry
         ON CONFLICT (sha256) DO UPDATE SET stored_at = GREATEST(blob.stored_at, EXCLUDED.stored_at)`,
        [sha256, bytes, kind, sniffedType, this.clock.now()],
      );
      if (await this.store.exists(blobKey(sha256))) return;
      await this.store.put(blobKey(sha256), reopen(), { maxBytes: bytes, contentType: OCTETS });
    };
    // Apart from a running unit of work: bytes stay also when that is undone, and no lock outlives this write.
    await this.database.outside(() => this.database.run(write));
  }

  /** As `keep`, for many: one statement, and the store is asked only for what somebody had brought before. */
  private async keepAll(
    all: readonly { readonly blob: ArtifactBlob; readonly content: Buffer }[],
  ): Promise<void> {
    const columns = all.map(({ blob }) => blob);
    const write = async (): Promise<void> => {
      const rows = await this.database.query<{ sha256: string; fresh: boolean }>(
        `INSERT INTO artifacts.blob (sha256, bytes, kind, sniffed_type, stored_at)
         SELECT b.*, $5 FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS b,
                (SELECT set_config('synchronous_commit', 'off', true)) AS hurry
         ON CONFLICT (sha256) DO UPDATE SET stored_at = GREATEST(blob.stored_at, EXCLUDED.stored_at)
         RETURNING sha256, xmax = 0 AS fresh`,
        [
          columns.map(({ sha256 }) => sha256),
          columns.map(({ bytes }) => bytes),
          columns.map(({ kind }) => kind),
          columns.map(({ sniffedType }) => sniffedType),
          this.clock.now(),
        ],
      );
      const fresh = new Map(rows.map((row) => [row.sha256, row.fresh]));
      const absent: { readonly key: string; readonly content: Buffer }[] = [];
      await eachAtMost(LOOKS_AT_ONCE, all, async ({ blob: { sha256 }, content }) => {
        const key = blobKey(sha256);
        if (fresh.get(sha256) || !(await this.store.exists(key))) absent.push({ key, content });
      });
      await this.store.putAll(absent, { contentType: OCTETS });
    };
    await this.database.outside(() => this.database.run(write));
  }
}

async function draftOf(content: Readable | Uint8Array, maxBytes: number): Promise<Draft> {
  const hash = createHash('sha256');
  const sniffer = new ContentSniffer();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let spool: { path: string; file: FileHandle } | null = null;
  const discard = async (): Promise<void> => {
    if (!spool) return;
    await spool.file.close().catch(() => undefined);
    await rm(spool.path, { force: true });
  };
  try {
    for await (const chunk of chunksOf(content)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      sniffer.push(chunk);
      if (spool === null && bytes > IN_MEMORY_BYTES && !(content instanceof Uint8Array)) {
        spool = await openSpool();
        for (const held of chunks.splice(0)) await spool.file.writeFile(held);
      }
      if (spool) await spool.file.writeFile(chunk);
      else chunks.push(chunk);
    }
    const path = spool?.path;
    return {
      blob: { sha256: hash.digest('hex'), bytes, ...sniffer.end() },
      reopen: () => (path === undefined ? Readable.from([Buffer.concat(chunks)]) : createReadStream(path)),
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function* chunksOf(content: Readable | Uint8Array): AsyncGenerator<Buffer> {
  if (content instanceof Uint8Array) {
    yield Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    return;
  }
  for await (const chunk of content as AsyncIterable<Buffer | string>) {
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

async function openSpool(): Promise<{ path: string; file: FileHandle }> {
  const folder = join(tmpdir(), 'loupe-artifact-drafts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  return { path, file: await open(path, 'wx', 0o600) };
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('too-large', 'too_large', `The content is larger than ${maxBytes} bytes.`);
}

function asDamaged(error: unknown): unknown {
  const gone =
    (error instanceof DomainError && error.kind === 'not-found') ||
    (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
  return gone ? damagedFile() : error;
}
