import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError, notFound } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { type Upload, Uploads } from '../ports/uploads.js';
import { SecretHolders } from '../secret-holders.js';
import { uploadExpiry, uploadKey } from '../upload-life.js';

export interface ReceiveUploadInput {
  readonly uploadId: string;
  readonly secret: string;
  /** What the client says that it sends, in bytes; null when it does not say. */
  readonly announcedBytes: number | null;
  readonly content: Readable;
}

export interface ReceivedUpload {
  readonly bytes: number;
  readonly validUntil: Date;
}

/** The code of an upload that ran out; over HTTP it is 410. */
export const UPLOAD_EXPIRED = 'expired';

/**
 * Bytes for a reserved upload; later ones replace earlier ones. The secret is the right, while whoever reserved it may
 * still write: that is asked before the first byte and after the last, since many lie in between.
 * @throws DomainError `not-found`, `conflict` `consumed` or `expired`, `too-large`.
 */
@Injectable()
export class ReceiveUpload {
  constructor(
    private readonly flags: Flags,
    private readonly uploads: Uploads,
    private readonly blobs: BlobStore,
    private readonly holders: SecretHolders,
    private readonly access: ProjectAccess,
    private readonly clock: Clock,
  ) {}

  async execute(input: ReceiveUploadInput): Promise<ReceivedUpload> {
    const { uploadId, secret, announcedBytes, content } = input;
    const upload = this.flags.isOn('artifacts.enabled')
      ? await this.uploads.bySecret(uploadId, secret)
      : null;
    if (!upload) throw notFound('Upload');
    requireOpen(upload, this.clock.now());
    if (!(await this.mayWrite(upload))) throw expired();
    const maxBytes = this.flags.int('artifacts.zip_max_bytes');
    if (announcedBytes !== null && announcedBytes > maxBytes) throw tooLarge(maxBytes);
    const blobKey = uploadKey(upload.id, randomUUID());
    const bytes = await this.keep(blobKey, content, maxBytes);
    if (!(await this.mayWrite(upload))) {
      await this.blobs.delete(blobKey);
      throw expired();
    }
    const now = this.clock.now();
    const validUntil = uploadExpiry(now);
    const replaced = await this.uploads.receive(upload.id, { bytes, blobKey }, validUntil, now);
    if (replaced === false) {
      await this.blobs.delete(blobKey);
      requireOpen((await this.uploads.find(upload.id)) ?? upload, now);
      throw expired();
    }
    if (replaced !== null) await this.blobs.delete(replaced);
    return { bytes, validUntil };
  }

  private async mayWrite(upload: Upload): Promise<boolean> {
    const actor = await this.holders.actorOf(upload);
    return actor !== null && this.access.can(actor, upload.projectId, 'contribute');
  }

  private async keep(blobKey: string, content: Readable, maxBytes: number): Promise<number> {
    try {
      const { bytes } = await this.blobs.put(blobKey, content, {
        maxBytes,
        contentType: 'application/octet-stream',
      });
      return bytes;
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'too-large' ? tooLarge(maxBytes) : error;
    }
  }
}

function requireOpen(upload: Upload, now: Date): void {
  if (upload.state === 'consumed') {
    throw conflict('consumed', 'This upload was used already. Reserve another one.');
  }
  if (upload.state === 'expired' || upload.expiresAt <= now) throw expired();
}

function expired(): DomainError {
  return conflict(UPLOAD_EXPIRED, 'This upload has expired. Reserve another one.');
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('too-large', 'too_large', `The upload is larger than ${maxBytes} bytes.`);
}
