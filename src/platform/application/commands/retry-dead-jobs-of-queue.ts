import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { DeadJobs } from '../ports/dead-jobs.js';
import { RetryDeadJob } from './retry-dead-job.js';

/** Retries every failed job of a queue, at most 1,000 at a time, each in a transaction of its own. */
@Injectable()
export class RetryDeadJobsOfQueue {
  constructor(
    private readonly deadJobs: DeadJobs,
    private readonly retry: RetryDeadJob,
  ) {}

  async execute(actor: Actor, input: { readonly queue: string }): Promise<{ retried: number }> {
    requireAdmin(actor, 'Job');
    let retried = 0;
    for (const id of await this.deadJobs.openOf(input.queue)) {
      try {
        await this.retry.execute(actor, { id });
        retried += 1;
      } catch (error) {
        // Another admin took this one meanwhile.
        if (!(error instanceof DomainError && error.code === 'already_handled')) throw error;
      }
    }
    return { retried };
  }
}
