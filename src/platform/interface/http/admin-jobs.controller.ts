import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DiscardDeadJob } from '../../application/commands/discard-dead-job.js';
import { RetryDeadJob } from '../../application/commands/retry-dead-job.js';
import { RetryDeadJobsOfQueue } from '../../application/commands/retry-dead-jobs-of-queue.js';
import { ListFailedJobs } from '../../application/queries/list-failed-jobs.js';
import { ListQueuedJobs } from '../../application/queries/list-queued-jobs.js';
import { JobsQuery, RetryQueueBody } from './admin.dto.js';

/** Background jobs, for admins (`platform.md` 8.3). */
@Controller('api/admin/jobs')
@UseGuards(AdminGuard)
export class AdminJobsController {
  constructor(
    private readonly failed: ListFailedJobs,
    private readonly queued: ListQueuedJobs,
    private readonly retryJob: RetryDeadJob,
    private readonly retryQueue: RetryDeadJobsOfQueue,
    private readonly discardJob: DiscardDeadJob,
  ) {}

  @Get()
  list(@CurrentActor() actor: PersonActor, @Query(inputPipe) query: JobsQuery): Promise<object> {
    const { tab = 'failed', page, queue } = query;
    return tab === 'failed'
      ? this.failed.execute(actor, { page, queue })
      : this.queued.execute(actor, { state: tab, page });
  }

  @Post('retry')
  @HttpCode(200)
  retryAll(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { queue }: RetryQueueBody,
  ): Promise<{ retried: number }> {
    return this.retryQueue.execute(actor, { queue });
  }

  @Post(':id/retry')
  @HttpCode(200)
  retry(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<{ jobId: string }> {
    return this.retryJob.execute(actor, { id });
  }

  @Post(':id/discard')
  @HttpCode(200)
  async discard(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<{ id: string }> {
    await this.discardJob.execute(actor, { id });
    return { id };
  }
}
