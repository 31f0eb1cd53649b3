import { Injectable } from '@nestjs/common';
import { GenerationJobs } from '../application/ports/generation-jobs.js';
import {
  GenerationProgress,
  type GenerationState,
  stateOf,
} from '../application/ports/generation-progress.js';

@Injectable()
export class JobProgressReader extends GenerationProgress {
  constructor(private readonly jobs: GenerationJobs) {
    super();
  }

  override async of(artifactId: string): Promise<GenerationState | null> {
    const job = await this.jobs.latest(artifactId);
    return job && stateOf(job);
  }
}
