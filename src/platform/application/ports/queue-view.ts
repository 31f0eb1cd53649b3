import type { JobData } from '#libs/kernel/ports/jobs.js';

export type QueueState = 'waiting' | 'delayed' | 'active';

export interface QueuedJob {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  readonly at: Date | null;
}

export interface QueueSchedule {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly when: string;
  readonly nextAt: Date | null;
}

/** The queue backend, as admins see it. @throws when the backend does not answer. */
export abstract class QueueView {
  /** Waiting, delayed and active jobs of all queues together. */
  abstract depth(): Promise<number>;
  abstract jobs(state: QueueState, offset: number, limit: number): Promise<QueuedJob[]>;
  abstract schedules(): Promise<QueueSchedule[]>;
  /** Takes everything of ours out of the backend. */
  abstract empty(): Promise<void>;
}
