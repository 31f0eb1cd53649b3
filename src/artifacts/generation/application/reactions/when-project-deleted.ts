import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { GENERATION_QUEUE, queueIdOf } from '../job-start.js';
import { GenerationJobs } from '../ports/generation-jobs.js';

/** Jobs go with their project; a generator that works finds its job gone. */
@Injectable()
export class WhenProjectDeleted implements EventListener {
  readonly name = 'generation-when-project-deleted';
  readonly types = ['ProjectDeleted'];

  constructor(
    private readonly jobs: GenerationJobs,
    private readonly queue: Jobs,
  ) {}

  async handle({ projectId }: DomainEvent): Promise<void> {
    if (projectId === null) return;
    for (const { facts } of await this.jobs.activeOfProject(projectId)) {
      await this.queue.remove(GENERATION_QUEUE, queueIdOf(facts.jobId));
    }
    await this.jobs.purgeProject(projectId);
  }
}
