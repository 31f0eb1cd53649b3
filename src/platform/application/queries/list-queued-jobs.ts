import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { clampPage } from '#libs/kernel/page.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { type QueuedJob, type QueueSchedule, type QueueState, QueueView } from '../ports/queue-view.js';

/** What the queue backend holds at the moment: jobs of one state, or the schedules. */
@Injectable()
export class ListQueuedJobs {
  constructor(private readonly queues: QueueView) {}

  async execute(
    actor: Actor,
    input: { readonly state: QueueState | 'schedules'; readonly page?: number },
  ): Promise<{ jobs: QueuedJob[]; schedules: QueueSchedule[]; page: number; hasMore: boolean }> {
    requireAdmin(actor);
    const { page, perPage } = clampPage(input.page, 50, { maxPerPage: 50 });
    if (input.state === 'schedules') {
      return { jobs: [], schedules: await this.queues.schedules(), page: 1, hasMore: false };
    }
    const jobs = await this.queues.jobs(input.state, (page - 1) * perPage, perPage + 1);
    return { jobs: jobs.slice(0, perPage), schedules: [], page, hasMore: jobs.length > perPage };
  }
}
