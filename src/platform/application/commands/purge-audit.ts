import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AuditRecords } from '../ports/audit-records.js';

const BATCH = 5_000;

/** Deletes audit records older than `audit.retention_days`, in batches of 5,000, each a transaction. Safe to repeat. */
@Injectable()
export class PurgeAudit {
  constructor(
    private readonly records: AuditRecords,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor): Promise<{ purged: number }> {
    const days = this.flags.int('audit.retention_days');
    let purged = 0;
    for (;;) {
      const count = await this.unitOfWork.run(() => this.records.deleteOlderThan(days, BATCH));
      purged += count;
      if (count < BATCH) break;
    }
    if (purged > 0) {
      await this.unitOfWork.run(() =>
        this.audit.record(actor, { operation: 'audit.purged', context: { count: purged, days } }),
      );
    }
    return { purged };
  }
}
