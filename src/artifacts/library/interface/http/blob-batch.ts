import type { Readable } from 'node:stream';
import { DomainError } from '#libs/kernel/errors.js';
import type { NamedContent } from '../../application/ports/artifact-blobs.js';
import { PUSH_BATCH } from '../../domain/push-manifest.js';

export const BATCH_TYPE = 'application/vnd.loupe.blobs';

/** The form of a batch, for the description of the API. */
export const BATCH_FORM =
  'Files one after the other, nothing between them: the SHA-256 in 64 lower-case hex digits, a space, the size in bytes as a decimal number, a line feed, then the bytes.';

const HEAD = /^([0-9a-f]{64}) (0|[1-9]\d{0,9})\n$/;
/** Longest head of a file, with its line feed. */
const HEAD_BYTES = 64 + 1 + 10 + 1;
const LINE_FEED = 0x0a;

/**
 * The files of a batch, in the form that `BATCH_FORM` tells, each as soon as it is whole. The stream is left as it is when
 * it ends early.
 * @throws DomainError `invalid` `bad_batch` for another form, `too-large` past a limit of `PUSH_BATCH`.
 */
export async function* contentsOfBatch(body: Readable): AsyncGenerator<NamedContent> {
  const reader = new ByteReader(body);
  let files = 0;
  let bytes = 0;
  try {
    for (let head = await reader.head(); head !== null; head = await reader.head()) {
      const [, sha256 = '', size] = HEAD.exec(head) ?? [];
      if (size === undefined) throw badBatch(files, 'is no line of a hash and a size');
      const length = Number(size);
      if (length > PUSH_BATCH.fileBytes) throw largeFile(sha256);
      files += 1;
      bytes += length;
      if (files > PUSH_BATCH.files || bytes > PUSH_BATCH.bytes) throw largeBatch();
      const content = await reader.take(length);
      if (content === null) throw badBatch(files - 1, 'breaks off');
      yield { sha256, content };
    }
  } finally {
    await reader.letGo();
  }
}

/** Bytes of a stream in parts of a known length. */
class ByteReader {
  private readonly source: AsyncIterator<Buffer>;
  private held: Buffer[] = [];
  private size = 0;

  constructor(body: Readable) {
    this.source = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  }

  /** The next line with its end, or as much as could be one; null at the end of the stream. */
  async head(): Promise<string | null> {
    for (;;) {
      const start = this.peek(HEAD_BYTES);
      const end = start.indexOf(LINE_FEED);
      if (end >= 0) return (await this.take(end + 1))!.toString('latin1');
      if (start.length === HEAD_BYTES || !(await this.more()))
        return start.length === 0 ? null : start.toString('latin1');
    }
  }

  /** Exactly so many bytes; null when the stream ends before. */
  async take(length: number): Promise<Buffer | null> {
    while (this.size < length) if (!(await this.more())) return null;
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const first = this.held[0]!;
      if (first.length > missing) {
        parts.push(first.subarray(0, missing));
        this.held[0] = first.subarray(missing);
        missing = 0;
      } else {
        parts.push(first);
        this.held.shift();
        missing -= first.length;
      }
    }
    this.size -= length;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
  }

  /** Leaves the stream to others, open as it is. */
  async letGo(): Promise<void> {
    await this.source.return?.();
  }

  private peek(length: number): Buffer {
    const first = this.held[0];
    if (!first) return Buffer.alloc(0);
    if (first.length >= length || this.held.length === 1) return first.subarray(0, length);
    return Buffer.concat(this.held).subarray(0, length);
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.source.next();
    if (done) return false;
    if (value.length > 0) this.held.push(value);
    this.size += value.length;
    return true;
  }
}

function badBatch(before: number, what: string): DomainError {
  return new DomainError(
    'invalid',
    'bad_batch',
    `What follows the ${before} whole files of this batch ${what}. Send each file as its SHA-256, a space, its size, a line feed and its bytes.`,
  );
}

function largeFile(sha256: string): DomainError {
  const sentence = `A file of a batch holds at most ${PUSH_BATCH.fileBytes} bytes. Send ${sha256} alone.`;
  return new DomainError('too-large', 'too_large', sentence);
}

function largeBatch(): DomainError {
  const sentence = `A batch holds at most ${PUSH_BATCH.files} files and ${PUSH_BATCH.bytes} bytes. Send several.`;
  return new DomainError('too-large', 'too_large', sentence);
}
