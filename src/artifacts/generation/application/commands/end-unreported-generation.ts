import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { JobEnd } from '../job-end.js';

/** The worker run of a job ended. One that had reported its end before is left as it is. */
@Injectable()
export class EndUnreportedGeneration {
  constructor(private readonly end: JobEnd) {}

  /** @returns whether the job failed by it. */
  async execute(actor: Actor, jobId: string): Promise<boolean> {
    return this.end.fail(actor, jobId, 'The worker ended without a result.');
  }
}
