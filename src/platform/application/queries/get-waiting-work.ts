import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { DataExports } from '../ports/data-exports.js';
import { EventUpkeep, type WaitingWork } from '../ports/event-upkeep.js';

/** After a restore: what the first worker would send and do, and which archives of exports did not come back. */
@Injectable()
export class GetWaitingWork {
  constructor(
    private readonly upkeep: EventUpkeep,
    private readonly exports: DataExports,
    private readonly blobs: BlobStore,
  ) {}

  async execute(actor: Actor): Promise<WaitingWork & { missingArchives: number }> {
    requireAdmin(actor);
    let missingArchives = 0;
    for (const key of await this.exports.archives()) {
      if (!(await this.blobs.exists(key))) missingArchives += 1;
    }
    return { ...(await this.upkeep.waiting()), missingArchives };
  }
}
