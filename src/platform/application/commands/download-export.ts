import { createHash, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { DataExports } from '../ports/data-exports.js';

/** Opens the archive for its owner who also has its token; everybody else hears that there is none. */
@Injectable()
export class DownloadExport {
  constructor(
    private readonly exports: DataExports,
    private readonly blobs: BlobStore,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute(
    actor: PersonActor,
    { id, token }: { readonly id: string; readonly token: string },
  ): Promise<{ content: Readable; bytes: number }> {
    const row = await this.exports.find(id);
    const given = createHash('sha256').update(token).digest();
    const known = Buffer.from(row?.tokenHash ?? '0'.repeat(64), 'hex');
    const fits = timingSafeEqual(given, known);
    if (
      !fits ||
      row === null ||
      row.blobKey === null ||
      row.expiresAt === null ||
      row.personId !== actor.personId ||
      row.expiresAt <= this.clock.now()
    ) {
      throw notFound('Export');
    }
    const content = await this.blobs.open(row.blobKey);
    await this.unitOfWork.run(() =>
      this.audit.record(actor, { operation: 'export.downloaded', subjectType: 'export', subjectId: id }),
    );
    return { content, bytes: row.bytes! };
  }
}
