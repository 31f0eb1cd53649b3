import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ObjectCannedACL,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { BlobBucketSettings } from '#libs/configuration/blob-bucket.js';
import { notFound } from '#libs/kernel/errors.js';
import { BlobStore, type StoredBlob } from '#libs/kernel/ports/blob-store.js';
import { requireBlobKey } from './blob-key.js';
import { BlobStorageUnavailable, blobTooLarge } from './blob-refusals.js';
import { adviceFor, isBehindTheEnd, isMissingKey } from './s3-failures.js';

/** The smallest part that stores take, so that little waits in memory; 10,000 parts make 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const LIST_MAX = 1_000;

/** How long a store may keep one waiting, in milliseconds, and how often it is asked. */
export interface S3Patience {
  readonly connect: number;
  /** Until the first byte of an answer that carries no part of a content. */
  readonly answer: number;
  /** For a part on its way to the store. */
  readonly part: number;
  /** Between two bytes of a content. */
  readonly silence: number;
  readonly attempts: number;
}

/** A store that is away is found out within half a minute, or within one while a content is on its way. */
const PATIENCE: S3Patience = { connect: 3_000, answer: 8_000, part: 20_000, silence: 60_000, attempts: 3 };

/**
 * Blobs as objects of a private bucket. A content becomes visible with its last part, so a reader sees all of it or
 * nothing. A store that is away or refuses is answered with `BlobStorageUnavailable` and logged.
 */
export class S3BlobStore extends BlobStore implements OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly logger = new Logger('storage');

  constructor(
    private readonly bucket: BlobBucketSettings,
    private readonly patience: S3Patience = PATIENCE,
  ) {
    super();
    this.client = new S3Client({
      region: bucket.region,
      forcePathStyle: bucket.pathStyle,
      maxAttempts: patience.attempts,
      // Many S3-compatible stores refuse the checksums that the client would add to every request.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: patience.connect,
        requestTimeout: patience.part,
        throwOnRequestTimeout: true,
        socketTimeout: patience.silence,
      },
      ...(bucket.endpoint === null ? {} : { endpoint: bucket.endpoint }),
      ...(bucket.credentials === null
        ? {}
        : {
            credentials: { accessKeyId: bucket.credentials.key, secretAccessKey: bucket.credentials.secret },
          }),
    });
  }

  override async put(
    key: string,
    content: Readable,
    options: { readonly maxBytes: number; readonly contentType: string },
  ): Promise<StoredBlob> {
    const hash = createHash('sha256');
    let bytes = 0;
    let spoiled: { readonly error: unknown } | null = null;
    let handing = false;
    async function* counted(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of content as AsyncIterable<Buffer | string>) {
          const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
          bytes += data.length;
          if (bytes > options.maxBytes) throw blobTooLarge(options.maxBytes);
          hash.update(data);
          handing = true;
          yield data;
          handing = false;
        }
      } catch (error) {
        // An upload that failed throws its own end into the hand-over: no fault of the content.
        if (!handing) spoiled = { error };
        throw error;
      }
    }
    const upload = new Upload({
      client: this.client,
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      params: {
        ...this.at(key),
        Body: Readable.from(counted(), { objectMode: true }),
        ContentType: options.contentType,
        ...(this.bucket.acl === null ? {} : { ACL: this.bucket.acl as ObjectCannedACL }),
      },
    });
    try {
      await upload.done();
    } catch (error) {
      content.destroy();
      // The fault of the content counts, also when the store then failed to throw the parts away.
      const cause = spoiled as { readonly error: unknown } | null;
      throw cause ? cause.error : this.unavailable(error);
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  override async open(
    key: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<Readable> {
    if (range?.end !== undefined && range.end < range.start) {
      throw new RangeError(`A range cannot end at ${range.end} before its start at ${range.start}.`);
    }
    const at = this.at(key);
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...at, Range }), this.quick);
      return Body as Readable;
    } catch (error) {
      if (isMissingKey(error)) throw notFound('Content');
      if (isBehindTheEnd(error)) return Readable.from([]);
      throw this.unavailable(error);
    }
  }

  override async exists(key: string): Promise<boolean> {
    const at = this.at(key);
    try {
      await this.client.send(new HeadObjectCommand(at), this.quick);
      return true;
    } catch (error) {
      if (isMissingKey(error)) return false;
      throw this.unavailable(error);
    }
  }

  override async delete(key: string): Promise<void> {
    const at = this.at(key);
    try {
      await this.client.send(new DeleteObjectCommand(at), this.quick);
    } catch (error) {
      if (!isMissingKey(error)) throw this.unavailable(error);
    }
  }

  override async list(
    prefix: string,
    cursor?: string,
  ): Promise<{ keys: string[]; nextCursor: string | null }> {
    const root = this.bucket.prefix;
    const command = new ListObjectsV2Command({
      Bucket: this.bucket.bucket,
      Prefix: `${root}${prefix}`,
      MaxKeys: LIST_MAX,
      ...(cursor === undefined ? {} : { StartAfter: `${root}${cursor}` }),
    });
    try {
      const { Contents = [], IsTruncated = false } = await this.client.send(command, this.quick);
      const keys = Contents.map(({ Key = '' }) => Key.slice(root.length));
      return { keys, nextCursor: IsTruncated ? (keys.at(-1) ?? null) : null };
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /** Ends connections that are kept for the next request. */
  onApplicationShutdown(): void {
    this.client.destroy();
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket.bucket, Key: `${this.bucket.prefix}${requireBlobKey(key)}` };
  }

  private get quick(): { requestTimeout: number } {
    return { requestTimeout: this.patience.answer };
  }

  private unavailable(error: unknown): BlobStorageUnavailable {
    const advice = adviceFor(error, this.bucket);
    this.logger.warn(`Blob storage: ${advice}`);
    return new BlobStorageUnavailable(advice, error);
  }
}
