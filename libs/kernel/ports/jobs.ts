/** Ids and counters only: never content, secrets or tokens. */
export type JobData = Readonly<Record<string, string | number | boolean | null>>;

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  /** From 1. */
  readonly attempt: number;
}

/** `{ again }` moves the job to that time and uses up no attempt. */
export type JobOutcome = undefined | { readonly again: Date };

export type JobHandler = (job: Job) => Promise<JobOutcome>;

export interface ProcessOptions {
  readonly concurrency: number;
  /** Default 4. */
  readonly attempts?: number;
  /** First delay of the exponential back-off in milliseconds; default 5,000. */
  readonly backoffMs?: number;
  /** Default 300,000. */
  readonly timeoutMs?: number;
}

/** Background jobs: one port, two backends (`platform.md` 8.2). Delivery is at least once, so handlers are idempotent. */
export abstract class Jobs {
  /**
   * Written with the running transaction and handed to the queue after its commit; no request waits for the queue.
   * `id` is of `[A-Za-z0-9_-]`, no colon, no plain number. A no-op while a job of that id exists.
   */
  abstract add(
    queue: string,
    id: string,
    name: string,
    data: JobData,
    options?: { readonly notBefore?: Date },
  ): Promise<void>;
  /** Best effort. */
  abstract remove(queue: string, id: string): Promise<void>;
  /** A single repeating job, however many workers there are. Registered at the start of a worker. */
  abstract every(queue: string, id: string, name: string, when: { ms: number } | { cron: string }): void;
  /** Registers the handler of a queue or of one job name in it. Runs in worker processes only. */
  abstract process(queue: string, name: string, handler: JobHandler, options?: Partial<ProcessOptions>): void;
}
