import type { GenerationJob } from '../../domain/generation-job.js';

/** Keeps jobs and their secrets. Everything that changes runs in the transaction of the caller. */
export abstract class GenerationJobs {
  /** Lets one request of a person after the other count and add. @returns how many of the person's jobs are active. */
  abstract lockAndCountActive(personId: string): Promise<number>;
  /** False, and nothing is added, while an active job has the same identity in the project. Waits for one that is being added. */
  abstract add(job: GenerationJob): Promise<boolean>;
  abstract activeOfIdentity(projectId: string, requestIdentity: string): Promise<GenerationJob | null>;
  /** The job, locked until the end of the transaction. */
  abstract hold(jobId: string): Promise<GenerationJob | null>;
  /** The latest job of an artifact, locked. */
  abstract holdLatest(artifactId: string): Promise<GenerationJob | null>;
  abstract latest(artifactId: string): Promise<GenerationJob | null>;
  /** State, progress, error, notes and times. */
  abstract save(job: GenerationJob): Promise<void>;

  abstract keepSecret(jobId: string, sealed: string, expiresAt: Date): Promise<void>;
  /** Null when it is gone or over. */
  abstract secretOf(jobId: string, at: Date): Promise<string | null>;
  abstract dropSecret(jobId: string): Promise<void>;
  abstract dropSecretsOver(at: Date): Promise<void>;

  /** Active jobs in the order of their ids, at most 500. */
  abstract activeAfter(jobId: string | null): Promise<GenerationJob[]>;
  abstract activeOfProject(projectId: string): Promise<GenerationJob[]>;
  /** Forgets ended jobs whose artifact was purged; they hold what somebody asked for. */
  abstract purgeWithoutArtifact(): Promise<void>;
  abstract purgeProject(projectId: string): Promise<void>;
  /** Takes a deleted person's id off the jobs. */
  abstract forgetPerson(personId: string): Promise<void>;
}
