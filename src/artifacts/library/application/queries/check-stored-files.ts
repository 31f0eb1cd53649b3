import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { BlobCollection, type DamagedBlob } from '../ports/blob-collection.js';

export interface StoredFilesReport {
  readonly total: number;
  readonly checked: number;
  readonly damaged: readonly DamagedBlob[];
  /** Keys of packed repositories that are gone; git of those artifacts then needs the folder of repositories. */
  readonly missingBundles: readonly string[];
}

/**
 * Reads stored files and compares them with what the database says; for a look after a restore. What is found damaged
 * shows on the status page too, until it is found whole.
 */
@Injectable()
export class CheckStoredFiles {
  constructor(private readonly blobs: BlobCollection) {}

  /** `sample`: how many files, picked by chance; all of them when there are fewer. */
  async execute(actor: Actor, { sample }: { readonly sample: number }): Promise<StoredFilesReport> {
    requireAdmin(actor);
    const total = await this.blobs.count();
    const hashes = await this.blobs.check(sample);
    return {
      total,
      checked: Math.min(total, sample),
      damaged: await this.blobs.missedBy(hashes),
      missingBundles: await this.blobs.missingBundles(),
    };
  }
}
