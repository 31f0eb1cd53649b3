import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { ArtifactType, SkippedFile } from '../domain/artifact-types.js';
import { nameOfAsset } from '../domain/imported-files.js';
import { archiveRules } from './archive-rules.js';
import { ArchiveReader } from './ports/archive-reader.js';
import { type ArtifactBlob, ArtifactBlobs } from './ports/artifact-blobs.js';
import { type Upload, Uploads } from './ports/uploads.js';
import type { CandidateFile } from './ports/version-store.js';

const ZIP_START = Buffer.from('PK\x03\x04');
const EMPTY_ZIP_START = Buffer.from('PK\x05\x06');
const SVG_HEAD_BYTES = 4_096;

export interface ImportedFiles {
  readonly files: readonly CandidateFile[];
  readonly skipped: readonly SkippedFile[];
}

/** An upload that may be used, with the key of its bytes. */
export type FullUpload = Upload & { readonly blobKey: string };

/** Files of an upload, each with its bytes in the store. */
@Injectable()
export class ImportedArchive {
  constructor(
    private readonly uploads: Uploads,
    private readonly store: BlobStore,
    private readonly blobs: ArtifactBlobs,
    private readonly reader: ArchiveReader,
    private readonly flags: Flags,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found` for ids of others; `conflict` when it was used, ran out or holds nothing. */
  async upload(
    uploadId: string,
    projectId: string,
    personId: string | null,
    type: ArtifactType,
  ): Promise<FullUpload> {
    const upload = await this.uploads.find(uploadId);
    if (!upload || upload.projectId !== projectId || upload.personId !== personId) {
      throw new DomainError('not-found', 'not_found', 'zipUploadId not found or not accessible.', {
        argument: 'zipUploadId',
      });
    }
    if ((type === 'asset') !== (upload.purpose === 'asset')) throw wrongPurpose(type);
    if (upload.state === 'consumed') throw used(upload.consumedBy);
    if (upload.state === 'expired' || upload.expiresAt <= this.clock.now()) throw ranOut();
    if (upload.blobKey === null)
      throw refusal('upload_empty', 'zipUploadId has no bytes yet. Send the file to its uploadUrl first.');
    return { ...upload, blobKey: upload.blobKey };
  }

  /** What another call did with an upload meanwhile. */
  async lost(uploadId: string): Promise<DomainError> {
    const upload = await this.uploads.find(uploadId);
    if (upload?.state === 'consumed') return used(upload.consumedBy);
    if (upload?.state === 'uploaded')
      return refusal('upload_replaced', 'zipUploadId got other bytes meanwhile. Call again.');
    return ranOut();
  }

  /** @throws DomainError `invalid` for a hostile archive, `conflict` `limit`. */
  async filesOf(upload: FullUpload): Promise<ImportedFiles> {
    const isZip = await this.isZip(upload);
    if (upload.purpose === 'asset' && !isZip) return this.rawAsset(upload);
    const files: CandidateFile[] = [];
    const skipped = await this.reader.unpack(
      await this.store.open(upload.blobKey),
      {
        maxEntries: this.flags.int('artifacts.zip_max_entries'),
        maxInflatedBytes: this.flags.int('artifacts.zip_max_inflated_bytes'),
        maxRatio: this.flags.int('artifacts.zip_max_ratio'),
      },
      archiveRules,
      async (path, content) => {
        files.push({ path, blob: await this.put(path, content) });
      },
    );
    return { files, skipped };
  }

  private async isZip({ blobKey }: FullUpload): Promise<boolean> {
    const head: Buffer[] = [];
    for await (const chunk of await this.store.open(blobKey, { start: 0, end: 3 }))
      head.push(chunk as Buffer);
    const start = Buffer.concat(head);
    return start.equals(ZIP_START) || start.equals(EMPTY_ZIP_START);
  }

  private async rawAsset({ blobKey }: FullUpload): Promise<ImportedFiles> {
    const blob = await this.put('The file', await this.store.open(blobKey));
    const name = nameOfAsset(blob.sniffedType, blob.kind === 'text' ? await this.startOf(blob) : null);
    return { files: [{ path: name ?? 'file.bin', blob }], skipped: [] };
  }

  private async startOf({ sha256, bytes }: ArtifactBlob): Promise<string> {
    if (bytes === 0) return '';
    const parts: Buffer[] = [];
    const head = await this.blobs.open(sha256, { start: 0, end: Math.min(bytes, SVG_HEAD_BYTES) - 1 });
    for await (const chunk of head) parts.push(chunk as Buffer);
    return Buffer.concat(parts).toString('utf8');
  }

  private async put(path: string, content: Parameters<ArtifactBlobs['put']>[0]): Promise<ArtifactBlob> {
    const maxBytes = this.flags.int('artifacts.file_max_bytes');
    try {
      return await this.blobs.put(content, { maxBytes });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'too-large')
        throw refusal('limit', `${path} holds more than ${maxBytes} bytes, the limit of one file.`);
      throw error;
    }
  }
}

function wrongPurpose(type: ArtifactType): InvalidInput {
  return new InvalidInput([
    {
      argument: 'zipUploadId',
      sentence:
        type === 'asset'
          ? 'artifactType asset needs a zipUploadId reserved with purpose "asset".'
          : `zipUploadId was reserved with purpose "asset"; artifactType ${type} needs one with purpose "source".`,
    },
  ]);
}

function used(artifactId: string | null): DomainError {
  return refusal('upload_used', `zipUploadId was already used for artifact ${artifactId}.`);
}

function ranOut(): DomainError {
  return refusal(
    'upload_expired',
    'zipUploadId has expired. Reserve another one with artifact_get_zip_upload_url.',
  );
}

function refusal(code: string, sentence: string): DomainError {
  return new DomainError('conflict', code, sentence, { argument: 'zipUploadId' });
}
