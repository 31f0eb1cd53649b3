import type { JobData } from '#libs/kernel/ports/jobs.js';

/** A job that a row calls for. */
export interface JobCall {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  readonly notBefore?: Date | null;
}

/** Tells the jobs that the rows of a context call for, in keyset pages of at most 500, when the queue lost its data. */
export interface JobSource {
  readonly name: string;
  pages(): AsyncIterable<readonly JobCall[]>;
}

/** Contexts register their source at start. */
export class JobSources {
  private readonly sources: JobSource[] = [];

  register(source: JobSource): void {
    this.sources.push(source);
  }

  get all(): readonly JobSource[] {
    return this.sources;
  }
}
