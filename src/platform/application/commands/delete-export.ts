import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { EXPORTS_QUEUE, exportJobId } from '../export-job.js';
import { DataExports } from '../ports/data-exports.js';

/** Deletes an own export, whatever its state; a run that works at it finds that out and throws its archive away. */
@Injectable()
export class DeleteExport {
  constructor(
    private readonly exports: DataExports,
    private readonly blobs: BlobStore,
    private readonly jobs: Jobs,
  ) {}

  async execute(actor: PersonActor, { id }: { readonly id: string }): Promise<void> {
    const known = await this.exports.find(id);
    if (known?.personId !== actor.personId) throw notFound('Export');
    // The archive first: a store that is away leaves the row, so that it can be deleted again.
    if (known.blobKey !== null) await this.blobs.delete(known.blobKey);
    const removed = await this.exports.remove(id, actor.personId);
    if (removed?.blobKey && removed.blobKey !== known.blobKey) await this.blobs.delete(removed.blobKey);
    await this.jobs.remove(EXPORTS_QUEUE, exportJobId(id));
  }
}
