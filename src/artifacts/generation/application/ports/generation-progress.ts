import type { GenerationJob, JobState } from '../../domain/generation-job.js';

export interface GenerationState {
  readonly jobId: string;
  readonly type: 'p2c' | 'l2c' | 'f2c';
  readonly generator: string;
  readonly state: JobState;
  /** 0 to 100. */
  readonly progress: number;
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** How far the generation of an artifact is; for pages and previews of other areas. No right is checked. */
export abstract class GenerationProgress {
  /** The latest job, or null for an artifact that was never generated. */
  abstract of(artifactId: string): Promise<GenerationState | null>;
}

/** What a job tells to those who may see its artifact. */
export function stateOf({ facts, progress }: GenerationJob): GenerationState {
  return {
    jobId: facts.jobId,
    type: facts.request.type,
    generator: facts.generator,
    state: progress.state,
    progress: progress.progress,
    error: progress.error,
    notes: progress.notes,
    startedAt: progress.startedAt,
    finishedAt: progress.finishedAt,
    createdAt: facts.createdAt,
  };
}
