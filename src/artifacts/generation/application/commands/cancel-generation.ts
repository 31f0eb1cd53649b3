import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactDirectory } from '../../../library/application/ports/artifact-directory.js';
import { JobEnd } from '../job-end.js';
import { GenerationJobs } from '../ports/generation-jobs.js';
import { type GenerationState, stateOf } from '../ports/generation-progress.js';

export interface CancelGenerationInput {
  readonly projectId: string;
  readonly artifactId: string;
}

/** Ends the generation of an artifact. @throws DomainError `not-found`, `forbidden`, `conflict` `not_active`. */
@Injectable()
export class CancelGeneration {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: GenerationJobs,
    private readonly end: JobEnd,
  ) {}

  async execute(actor: Actor, input: CancelGenerationInput): Promise<GenerationState> {
    await this.directory.require(actor, input.artifactId, 'write', input.projectId);
    return this.unitOfWork.run(async () => {
      const job = await this.jobs.holdLatest(input.artifactId);
      if (!job || !(await this.end.cancel(actor, job))) {
        throw conflict('not_active', 'Nothing is being generated for this artifact.');
      }
      return stateOf(job);
    });
  }
}
