import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { JobEnd } from '../job-end.js';
import { GenerationJobs } from '../ports/generation-jobs.js';

/** What is deleted is generated no further. */
@Injectable()
export class WhenArtifactDeleted implements EventListener {
  readonly name = 'generation-when-artifact-deleted';
  readonly types = ['ArtifactDeleted'];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly end: JobEnd,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    await this.unitOfWork.run(async () => {
      const job = await this.jobs.holdLatest(event.aggregateId);
      if (job?.isActive) await this.end.cancel({ kind: 'system', jobName: this.name }, job);
    });
  }
}
