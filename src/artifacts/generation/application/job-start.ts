import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import type { GenerationJob } from '../domain/generation-job.js';
import { GenerationNews } from './generation-news.js';
import { BridgeWork } from './ports/bridge-work.js';
import { GenerationJobs } from './ports/generation-jobs.js';

export const GENERATION_QUEUE = 'artifact-generation';
export const GENERATION_JOB = 'artifacts.generate';

/** Id of the entry in the queue; the same for whoever adds it again. */
export function queueIdOf(jobId: string): string {
  return `gen_${jobId}_1`;
}

/** Adds a job under the cap of its person and hands it to whoever does it. */
@Injectable()
export class JobStart {
  constructor(
    private readonly flags: Flags,
    private readonly jobs: GenerationJobs,
    private readonly queue: Jobs,
    private readonly bridges: BridgeWork,
    private readonly news: GenerationNews,
  ) {}

  /**
   * In the running transaction. @returns false, with nothing added, while an equal request is active.
   * @throws DomainError `conflict` `limit` at the cap.
   */
  async add(actor: Actor, job: GenerationJob): Promise<boolean> {
    const personId = personIdOf(actor);
    const max = this.flags.int('artifacts.generation_max_active');
    const active = personId === null ? 0 : await this.jobs.lockAndCountActive(personId);
    if (!(await this.jobs.add(job))) return false;
    // After the insert: an equal request that is active answers instead, and counts nothing.
    if (active >= max) {
      throw conflict('limit', `Too many active generation jobs (${max}). Wait for one to finish.`);
    }
    if (job.isBridgeWork) await this.bridges.offer(job);
    else
      await this.queue.add(GENERATION_QUEUE, queueIdOf(job.facts.jobId), GENERATION_JOB, {
        jobId: job.facts.jobId,
      });
    await this.news.tell(actor, job, 'requested');
    return true;
  }
}
