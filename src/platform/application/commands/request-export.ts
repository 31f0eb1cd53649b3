import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { conflict, DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { BUILD_EXPORT, EXPORTS_QUEUE, exportJobId } from '../export-job.js';
import { DataExports } from '../ports/data-exports.js';

const PER_DAY = { max: 3, windowSeconds: 86_400 };

/** A person asks for their data: one export at a time, three a day. */
@Injectable()
export class RequestExport {
  constructor(
    private readonly exports: DataExports,
    private readonly limiter: RateLimiter,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws DomainError `export_running`, or `rate-limited` after three in a day. */
  async execute(actor: PersonActor): Promise<{ id: string }> {
    const id = this.ids.next();
    await this.unitOfWork.run(async () => {
      if (!(await this.exports.add(id, actor.personId))) {
        throw conflict(
          'export_running',
          'An export is being made. Wait until it is ready, or delete it first.',
        );
      }
      const { allowed, retryAfterSeconds } = await this.limiter.hit(
        'export_per_day',
        actor.personId,
        PER_DAY,
      );
      if (!allowed) {
        throw new DomainError(
          'rate-limited',
          'rate_limited',
          'Three exports a day can be made. Try again tomorrow.',
          { retryAfterSeconds },
        );
      }
      await this.jobs.add(EXPORTS_QUEUE, exportJobId(id), BUILD_EXPORT, { exportId: id });
      await this.audit.record(actor, { operation: 'export.requested', subjectType: 'export', subjectId: id });
    });
    return { id };
  }
}
