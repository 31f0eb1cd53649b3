import type { JobData } from '#libs/kernel/ports/jobs.js';

export interface DeadJobRecord {
  readonly queue: string;
  readonly jobId: string;
  readonly name: string;
  readonly data: JobData;
  readonly error: string;
  readonly stack: string;
  readonly attempts: number;
}

/** Jobs that used up their attempts, kept until an admin retries or discards them. */
export abstract class DeadJobs {
  /** Once a job: a repeat refreshes the open record. */
  abstract record(job: DeadJobRecord): Promise<void>;
  /** Marks an open record. Null when it is unknown or already handled. */
  abstract resolve(
    id: string,
    resolution: 'retried' | 'discarded',
    by: string | null,
  ): Promise<DeadJobRecord | null>;
  abstract exists(id: string): Promise<boolean>;
  /** Ids of open records, oldest first, at most 1,000. */
  abstract openOf(queue: string): Promise<string[]>;
}
