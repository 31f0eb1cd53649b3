import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactDirectory } from '../../../library/application/ports/artifact-directory.js';
import { ArtifactStates } from '../../../library/application/ports/artifact-states.js';
import { GenerationJob } from '../../domain/generation-job.js';
import { GeneratorChoice } from '../generator-choice.js';
import { JobStart } from '../job-start.js';
import { GenerationJobs } from '../ports/generation-jobs.js';
import { type GenerationState, stateOf } from '../ports/generation-progress.js';

export interface RetryGenerationInput {
  readonly projectId: string;
  readonly artifactId: string;
}

/**
 * Runs the request of a failed artifact again, as a new job.
 * @throws DomainError `not-found`, `forbidden`, `switched-off`; `conflict` `not_active` for an artifact that did not fail,
 *   `no_generator`, `limit`, `already_running`.
 */
@Injectable()
export class RetryGeneration {
  constructor(
    private readonly directory: ArtifactDirectory,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: ArtifactStates,
    private readonly jobs: GenerationJobs,
    private readonly choice: GeneratorChoice,
    private readonly start: JobStart,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: RetryGenerationInput): Promise<GenerationState> {
    const { status } = await this.directory.require(actor, input.artifactId, 'write', input.projectId);
    if (!this.flags.isOn('artifacts.generation.enabled')) {
      throw new DomainError(
        'switched-off',
        'switched_off',
        this.flags.refusal('artifacts.generation.enabled'),
      );
    }
    const last = await this.jobs.latest(input.artifactId);
    if (!last || last.isActive || status !== 'failed') {
      throw conflict('not_active', 'Only an artifact whose generation failed can be generated again.');
    }
    if (last.facts.request.type === 'f2c') {
      throw conflict(
        'no_generator',
        'The Figma token of this request is gone. Let an agent call artifact_create again, with the X-Figma-Token header.',
      );
    }
    const generator = await this.generatorFor(last);
    return this.unitOfWork.run(async () => {
      const job = GenerationJob.queued(
        {
          ...last.facts,
          jobId: this.ids.next(),
          generator: generator,
          requestedBy: { kind: actor.kind === 'person' ? 'person' : 'agent', personId: personIdOf(actor) },
          createdAt: this.clock.now(),
        },
        [],
      );
      if (!(await this.start.add(actor, job))) {
        throw conflict('already_running', 'The same request is being generated as another artifact.');
      }
      await this.artifacts.generateAgain(input.artifactId);
      return stateOf(job);
    });
  }

  private async generatorFor({ facts }: GenerationJob): Promise<string> {
    try {
      return (await this.choice.choose(facts.request, facts.projectId)).key;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'no_generator')
        throw conflict('no_generator', error.message);
      throw error;
    }
  }
}
