import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { DataExports } from '../ports/data-exports.js';

const ARCHIVE = /^exports\/([0-9a-f-]{36})\/[0-9a-f-]{36}$/;

/** Deletes archives past their time and their rows, what failed a week ago, and archives that a lost worker left. Safe to repeat. */
@Injectable()
export class ExpireExports {
  constructor(
    private readonly exports: DataExports,
    private readonly blobs: BlobStore,
  ) {}

  async execute(_actor: Actor): Promise<{ deleted: number }> {
    let deleted = 0;
    for (;;) {
      const page = await this.exports.outlived();
      if (page.length === 0) break;
      for (const { id, personId, blobKey } of page) {
        if (blobKey !== null) await this.blobs.delete(blobKey);
        await this.exports.remove(id, personId);
        deleted += 1;
      }
    }
    await this.deleteOrphans();
    return { deleted };
  }

  private async deleteOrphans(): Promise<void> {
    let cursor: string | undefined;
    do {
      const { keys, nextCursor } = await this.blobs.list('exports/', cursor);
      for (const key of keys) {
        const id = ARCHIVE.exec(key)?.[1];
        if (id === undefined) continue;
        const row = await this.exports.find(id);
        if (row?.blobKey !== key && row?.state !== 'running') await this.blobs.delete(key);
      }
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
