import type { Actor } from '#libs/kernel/actor.js';
import type { GenerationJob } from '../../domain/generation-job.js';

/** Generation by a coding agent that a bridge starts; served by the workers context. */
export abstract class BridgeWork {
  /** Whether a running bridge follows the project and takes such work. */
  abstract isServed(projectId: string): Promise<boolean>;
  /** Offers the job as work of kind `artifact-generation`, in the running transaction. */
  abstract offer(job: GenerationJob): Promise<void>;
  /** Whether the actor is the worker run that does this job. */
  abstract isFulfiller(actor: Actor, jobId: string): Promise<boolean>;
  /** Takes an offer back, in the running transaction. */
  abstract withdraw(jobId: string): Promise<void>;
}

/** No bridge can connect yet. */
export class NoBridgeWork extends BridgeWork {
  override async isServed(): Promise<boolean> {
    return false;
  }

  override async offer(): Promise<void> {
    throw new Error('No bridge can take work.');
  }

  override async isFulfiller(): Promise<boolean> {
    return false;
  }

  override async withdraw(): Promise<void> {}
}
