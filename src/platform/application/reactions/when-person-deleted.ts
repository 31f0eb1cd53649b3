import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { DataExports } from '../ports/data-exports.js';

/** Exports go with the person. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'platform-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(
    private readonly exports: DataExports,
    private readonly blobs: BlobStore,
  ) {}

  async handle({ personId }: DomainEvent): Promise<void> {
    if (personId === null) return;
    for (const { id, blobKey } of await this.exports.ofPerson(personId)) {
      if (blobKey !== null) await this.blobs.delete(blobKey);
      await this.exports.remove(id, personId);
    }
  }
}
