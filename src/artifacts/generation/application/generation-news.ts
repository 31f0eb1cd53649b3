import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import type { GenerationJob } from '../domain/generation-job.js';

type Step = 'requested' | 'progressed' | 'succeeded' | 'failed' | 'cancelled';

const EVENTS: Readonly<Record<Step, string>> = {
  requested: 'ArtifactGenerationRequested',
  progressed: 'ArtifactGenerationProgressed',
  succeeded: 'ArtifactGenerationSucceeded',
  failed: 'ArtifactGenerationFailed',
  cancelled: 'ArtifactGenerationCancelled',
};

/** Tells everybody of a step of a job, in the transaction of the step. */
@Injectable()
export class GenerationNews {
  constructor(
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly signals: Signals,
  ) {}

  async tell(actor: Actor, { facts, progress }: GenerationJob, step: Step): Promise<void> {
    const { jobId, artifactId, projectId, generator, request } = facts;
    await this.outbox.publish(actor, {
      type: EVENTS[step],
      aggregateId: artifactId,
      projectId,
      personId: facts.requestedBy.personId,
      payload: { artifactId, jobId, generator, type: request.type, progress: progress.progress },
    });
    if (step !== 'progressed') {
      await this.audit.record(actor, {
        operation: `artifact.generation_${step}`,
        outcome: step === 'failed' ? 'failed' : 'success',
        subjectType: 'artifact',
        subjectId: artifactId,
        projectId,
        context: { jobId, type: request.type, generator },
      });
    }
    await this.live.publish(`project:${projectId}:artifacts`, { type: 'generation', subjectId: artifactId });
    await this.signals.publish('artifact_status', { artifactId });
  }
}
