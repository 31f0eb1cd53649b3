import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { nextRetryId } from '../../domain/retry-id.js';
import { DeadJobs } from '../ports/dead-jobs.js';

/** Adds a failed job again, under an id with the next suffix `_r<n>`. */
@Injectable()
export class RetryDeadJob {
  constructor(
    private readonly deadJobs: DeadJobs,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /** @throws DomainError `conflict` `already_handled` when another admin was first. */
  async execute(actor: Actor, input: { readonly id: string }): Promise<{ jobId: string }> {
    requireAdmin(actor, 'Job');
    if (!isUuid(input.id)) throw notFound('Job');
    return this.unitOfWork.run(async () => {
      const job = await this.deadJobs.resolve(input.id, 'retried', personIdOf(actor));
      if (!job) throw await refusal(this.deadJobs, input.id);
      const jobId = nextRetryId(job.jobId);
      await this.jobs.add(job.queue, jobId, job.name, job.data);
      await this.audit.record(actor, {
        operation: 'job.retried',
        subjectType: 'job',
        subjectId: job.jobId,
        context: { queue: job.queue, name: job.name, as: jobId },
      });
      return { jobId };
    });
  }
}

/** Unknown, or somebody else was first. */
export async function refusal(deadJobs: DeadJobs, id: string): Promise<Error> {
  return (await deadJobs.exists(id))
    ? conflict('already_handled', 'Somebody has retried or discarded this job already. Reload the list.')
    : notFound('Job');
}
