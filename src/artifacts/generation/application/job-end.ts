import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactStates } from '../../library/application/ports/artifact-states.js';
import type { GenerationJob } from '../domain/generation-job.js';
import { GenerationNews } from './generation-news.js';
import { GENERATION_QUEUE, queueIdOf } from './job-start.js';
import { BridgeWork } from './ports/bridge-work.js';
import { GenerationJobs } from './ports/generation-jobs.js';

/** Ends a job without a result. Its secret goes with it. */
@Injectable()
export class JobEnd {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly artifacts: ArtifactStates,
    private readonly queue: Jobs,
    private readonly bridges: BridgeWork,
    private readonly news: GenerationNews,
    private readonly clock: Clock,
  ) {}

  /** @returns false when the job had ended already. */
  async fail(actor: Actor, jobId: string, error: string): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const job = await this.jobs.hold(jobId);
      if (!job?.fail(error, this.clock.now())) return false;
      await this.settle(actor, job, 'failed');
      return true;
    });
  }

  /** A held job, in the running transaction. @returns false when it had ended already. */
  async cancel(actor: Actor, job: GenerationJob): Promise<boolean> {
    if (!job.cancel(this.clock.now())) return false;
    await this.settle(actor, job, 'cancelled');
    await this.queue.remove(GENERATION_QUEUE, queueIdOf(job.facts.jobId));
    return true;
  }

  private async settle(actor: Actor, job: GenerationJob, step: 'failed' | 'cancelled'): Promise<void> {
    await this.jobs.save(job);
    await this.jobs.dropSecret(job.facts.jobId);
    if (job.isBridgeWork) await this.bridges.withdraw(job.facts.jobId);
    await this.artifacts.fail(job.facts.artifactId, job.progress.error ?? 'Cancelled.');
    await this.news.tell(actor, job, step);
  }
}
