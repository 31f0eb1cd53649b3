import { Injectable } from '@nestjs/common';
import { JobQueues } from '#libs/messaging/job-queues.js';
import { Metrics } from '#libs/observability/metrics.js';
import {
  type QueuedJob,
  type QueueSchedule,
  type QueueState,
  QueueView,
} from '../application/ports/queue-view.js';
import { OutboxJobs } from './outbox-jobs.js';

@Injectable()
export class BackendQueueView extends QueueView {
  constructor(
    private readonly queues: JobQueues,
    private readonly jobsOfProduct: OutboxJobs,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  override async depth(): Promise<number> {
    const counts = await Promise.all(this.jobsOfProduct.queueNames.map((name) => this.queues.counts(name)));
    return counts.reduce((sum, { waiting, delayed, active }) => sum + waiting + delayed + active, 0);
  }

  override async jobs(state: QueueState, offset: number, limit: number): Promise<QueuedJob[]> {
    const found: QueuedJob[] = [];
    let skip = offset;
    for (const queue of this.jobsOfProduct.queueNames) {
      if (found.length >= limit) break;
      const count = (await this.queues.counts(queue))[state];
      if (skip >= count) {
        skip -= count;
        continue;
      }
      const jobs = await this.queues.list(queue, state, skip, limit - found.length);
      found.push(...jobs.map((job) => ({ queue, ...job })));
      skip = 0;
    }
    return found;
  }

  override async schedules(): Promise<QueueSchedule[]> {
    const lists = await Promise.all(
      this.jobsOfProduct.queueNames.map(async (queue) =>
        (await this.queues.schedules(queue)).map((schedule) => ({ queue, ...schedule })),
      ),
    );
    return lists.flat();
  }

  override empty(): Promise<void> {
    return this.queues.empty();
  }

  /** Seconds that the oldest waiting job has waited; 0 when none waits. */
  async oldestWaitingSeconds(): Promise<number> {
    const times = await Promise.all(
      this.jobsOfProduct.queueNames.map((name) => this.queues.oldestWaiting(name)),
    );
    const oldest = Math.min(...times.flatMap((time) => (time ? [time.getTime()] : [])));
    return Number.isFinite(oldest) ? Math.max(0, (Date.now() - oldest) / 1000) : 0;
  }

  async measure(): Promise<void> {
    for (const queue of this.jobsOfProduct.queueNames) {
      const counts = await this.queues.counts(queue);
      for (const [state, count] of Object.entries(counts))
        this.metrics.queueJobs.set({ queue, state }, count);
    }
  }
}
