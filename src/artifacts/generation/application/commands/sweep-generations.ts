import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import {
  BRIDGE_MINUTES,
  BUILT_IN_MINUTES,
  type GenerationJob,
  UNTAKEN_HOURS,
} from '../../domain/generation-job.js';
import { JobEnd } from '../job-end.js';
import { GenerationJobs } from '../ports/generation-jobs.js';
import { tookTooLong } from '../running-job.js';

/** A process that runs a job ends it in time by itself; this is for those that are gone. */
const GRACE_MS = 60_000;

/** Every minute: ends jobs whose time is over, and forgets secrets that are too old. */
@Injectable()
export class SweepGenerations {
  constructor(
    private readonly jobs: GenerationJobs,
    private readonly end: JobEnd,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor): Promise<void> {
    const now = this.clock.now();
    await this.jobs.dropSecretsOver(now);
    let last: string | null = null;
    for (;;) {
      const page = await this.jobs.activeAfter(last);
      if (page.length === 0) return;
      for (const job of page) {
        if (job.deadline.getTime() + GRACE_MS <= now.getTime()) {
          await this.end.fail(actor, job.facts.jobId, reasonOf(job));
        }
      }
      last = page.at(-1)!.facts.jobId;
    }
  }
}

function reasonOf(job: GenerationJob): string {
  if (job.progress.startedAt) return tookTooLong(job.isBridgeWork ? BRIDGE_MINUTES : BUILT_IN_MINUTES);
  return `Nobody took the work within ${UNTAKEN_HOURS} hours.`;
}
