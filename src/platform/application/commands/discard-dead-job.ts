import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { DeadJobs } from '../ports/dead-jobs.js';
import { refusal } from './retry-dead-job.js';

/** Takes a failed job off the list without running it again. */
@Injectable()
export class DiscardDeadJob {
  constructor(
    private readonly deadJobs: DeadJobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /** @throws DomainError `conflict` `already_handled` when another admin was first. */
  async execute(actor: Actor, input: { readonly id: string }): Promise<void> {
    requireAdmin(actor, 'Job');
    if (!isUuid(input.id)) throw notFound('Job');
    await this.unitOfWork.run(async () => {
      const job = await this.deadJobs.resolve(input.id, 'discarded', personIdOf(actor));
      if (!job) throw await refusal(this.deadJobs, input.id);
      await this.audit.record(actor, {
        operation: 'job.discarded',
        subjectType: 'job',
        subjectId: job.jobId,
        context: { queue: job.queue, name: job.name },
      });
    });
  }
}
