import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import {
  type ArchiveLimits,
  ArchiveReader,
  type EntryRules,
} from '../../application/ports/archive-reader.js';
import type { SkippedFile } from '../../domain/artifact-types.js';
import { readZipDirectory, type ZipMember } from './zip-directory.js';
import { entryRefused } from './zip-refusal.js';

/** Below this size a high ratio is nothing but an even picture or a long empty text. */
const RATIO_FROM_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const AT_ONCE = 8;

/**
 * Zip files through a temporary file, which the directory at their end needs. Entries are inflated as streams and counted
 * while they flow; no entry is ever written under its own name.
 */
@Injectable()
export class ZipArchiveReader extends ArchiveReader {
  override async unpack(
    archive: Readable,
    limits: ArchiveLimits,
    rules: EntryRules,
    take: (path: string, content: Readable) => Promise<void>,
  ): Promise<SkippedFile[]> {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-zip-'));
    try {
      const path = join(folder, 'archive');
      await pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      const file = await open(path, 'r');
      try {
        return await unpackFile(file, limits, rules, take);
      } finally {
        await file.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function unpackFile(
  file: FileHandle,
  limits: ArchiveLimits,
  rules: EntryRules,
  take: (path: string, content: Readable) => Promise<void>,
): Promise<SkippedFile[]> {
  const members = await readZipDirectory(file, limits, rules);
  const prefix = sharedFolder(members, rules);
  const skipped: SkippedFile[] = [];
  const wanted: { member: ZipMember; path: string }[] = [];
  for (const member of members) {
    const inside = member.name.startsWith(prefix) ? member.name.slice(prefix.length) : member.name;
    const path = inside.normalize('NFC');
    const reason = rules.skipReasonOf(member.name) ?? rules.skipReasonOf(path);
    if (reason !== null) skipped.push({ path, reason });
    else wanted.push({ member, path });
  }
  const budget = { bytes: limits.maxInflatedBytes };
  await severalAtOnce(wanted, ({ member, path }) =>
    inflate(file, member, limits, budget, (content) => take(path, content)),
  );
  return skipped;
}

/** Storing waits for the disk, so a few go on side by side. Nothing begins after a failure, and the first one counts. */
async function severalAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (next < all.length && failures.length === 0) {
      const one = all[next]!;
      next += 1;
      await work(one).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw failures[0];
}

/** `site/` when every file that is stored lies in that folder; else nothing. */
function sharedFolder(members: readonly ZipMember[], rules: EntryRules): string {
  const tops = new Set(
    members
      .filter(({ name }) => rules.skipReasonOf(name) === null)
      .map(({ name }) => name.slice(0, name.indexOf('/') + 1)),
  );
  const [top] = tops;
  return tops.size === 1 && top !== undefined ? top : '';
}

async function inflate(
  file: FileHandle,
  member: ZipMember,
  limits: ArchiveLimits,
  budget: { bytes: number },
  take: (content: Readable) => Promise<void>,
): Promise<void> {
  const { dataStart, compressedBytes } = member;
  const packed =
    compressedBytes === 0
      ? Readable.from([])
      : file.createReadStream({
          start: dataStart,
          end: dataStart + compressedBytes - 1,
          autoClose: false,
          highWaterMark: CHUNK_BYTES,
        });
  const counted = new CountedContent(member, limits, budget);
  const flow = (
    member.deflated
      ? pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), counted)
      : pipeline(packed, counted)
  ).then(
    () => null,
    (error: unknown) => error,
  );
  let failure: unknown = null;
  try {
    await take(counted);
  } catch (error) {
    failure = error ?? new Error('The content was not taken.');
    counted.destroy();
  }
  const broken = await flow;
  if (broken instanceof DomainError) throw broken;
  if (failure !== null && !isStreamFailure(failure)) throw failure;
  if (broken !== null || failure !== null) throw entryRefused(member.name, 'is damaged');
}

/** Failures of inflating reach the taker as errors of its stream; those of the store are its own. */
function isStreamFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Lets content through while it is within the limits, and holds it against what the directory claims. */
class CountedContent extends Transform {
  private bytes = 0;
  private checksum = 0;

  constructor(
    private readonly member: ZipMember,
    private readonly limits: ArchiveLimits,
    private readonly budget: { bytes: number },
  ) {
    super({ readableHighWaterMark: CHUNK_BYTES, writableHighWaterMark: CHUNK_BYTES });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.budget.bytes -= chunk.length;
    const refusal = this.refusal();
    if (refusal) {
      done(refusal);
      return;
    }
    this.checksum = crc32(chunk, this.checksum);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.bytes !== this.member.claimedBytes) {
      done(entryRefused(this.member.name, 'has another size than its directory says'));
    } else if (this.checksum !== this.member.crc32) {
      done(entryRefused(this.member.name, 'is damaged: its checksum does not fit'));
    } else {
      done();
    }
  }

  private refusal(): DomainError | null {
    const { name, claimedBytes, compressedBytes } = this.member;
    const { maxInflatedBytes, maxRatio } = this.limits;
    if (this.budget.bytes < 0)
      return entryRefused(name, `unpacks to more than the ${maxInflatedBytes} bytes that all may have`);
    if (this.bytes > RATIO_FROM_BYTES && this.bytes > maxRatio * compressedBytes)
      return entryRefused(name, `unpacks to more than ${maxRatio} times its size`);
    if (this.bytes > claimedBytes) return entryRefused(name, 'has another size than its directory says');
    return null;
  }
}
