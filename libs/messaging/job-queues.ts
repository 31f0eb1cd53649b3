import { DelayedError, Job as LibraryJob, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { Job, JobData, JobOutcome } from '#libs/kernel/ports/jobs.js';
import type { QueueConnection } from './queue-connection.js';

const ID = /^(?=.*[A-Za-z_-])[A-Za-z0-9_-]{1,200}$/;
const STALLED_TWICE = 1;
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 10_000;
const CLOSE_LIMIT_MS = 3_000;

export interface JobToAdd {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  readonly notBefore?: Date | null;
}

export type JobState = 'waiting' | 'delayed' | 'active';

export interface ListedJob {
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  /** When it may start, for delayed ones. */
  readonly at: Date | null;
}

export interface ListedSchedule {
  readonly id: string;
  readonly name: string;
  readonly when: string;
  readonly nextAt: Date | null;
}

/** How the jobs of one name are run. */
export interface JobRules {
  readonly attempts: number;
  readonly backoffMs: number;
  readonly timeoutMs: number;
}

export interface DeadJob {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly data: JobData;
  readonly error: Error;
  readonly attempts: number;
}

/** What a queue's worker asks its user. */
export interface JobWork {
  readonly concurrency: number;
  /** Null when nobody knows the name: the job is final at once. */
  rulesOf(name: string): JobRules | null;
  run(job: Job): Promise<JobOutcome>;
  /** Called before the last attempt counts as failed, and for a job that stalled twice. Repeats are to be expected. */
  died(job: DeadJob): Promise<void>;
  finished?(job: { queue: string; name: string; seconds: number; failed: boolean }): void;
}

/** A payload or name that no retry can mend. */
export class HopelessJob extends UnrecoverableError {}

/**
 * BullMQ behind a small surface that is the same on PostgreSQL and on Redis (`platform.md` 8.2). It keeps no state of
 * record: callers can build everything in it again from their rows.
 */
export class JobQueues {
  private readonly queues = new Map<string, Queue>();
  private readonly workers = new Map<string, Worker>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly connection: QueueConnection,
    private readonly onError: (error: unknown) => void,
  ) {}

  get kind(): QueueConnection['kind'] {
    return this.connection.kind;
  }

  describe(): ReturnType<QueueConnection['describe']> {
    return this.connection.describe();
  }

  /** Takes every job and schedule out of the backend; workers go on with what is added next. */
  empty(): Promise<void> {
    return this.connection.empty();
  }

  /** A job whose id exists is left as it is, also while it runs. @throws Error for an id of another form. */
  async add(...jobs: readonly JobToAdd[]): Promise<void> {
    for (const { id } of jobs) checkJobId(id);
    for (const [queue, ofQueue] of groupByQueue(jobs)) {
      await this.queue(queue).addBulk(
        ofQueue.map(({ id, name, data, notBefore }) => ({
          name,
          data,
          opts: {
            jobId: id,
            removeOnComplete: true,
            removeOnFail: true,
            ...(notBefore ? { delay: Math.max(0, notBefore.getTime() - Date.now()) } : {}),
          },
        })),
      );
    }
  }

  /** Best effort: a job that runs goes on. */
  async remove(queue: string, id: string): Promise<void> {
    await this.queue(queue).remove(id);
  }

  /** Makes or changes a repeating job; `data` may carry a mark that `scheduleData` reads back. */
  async schedule(
    queue: string,
    id: string,
    name: string,
    when: { ms: number } | { cron: string },
    data: JobData = {},
  ): Promise<void> {
    checkJobId(id);
    await this.queue(queue).upsertJobScheduler(
      id,
      'ms' in when ? { every: when.ms } : { pattern: when.cron },
      {
        name,
        data,
        opts: { removeOnComplete: true, removeOnFail: true },
      },
    );
  }

  /** Null when the backend holds no such schedule. */
  async scheduleData(queue: string, id: string): Promise<JobData | null> {
    const found = await this.queue(queue).getJobScheduler(id);
    return found ? ((found.template?.data as JobData | undefined) ?? {}) : null;
  }

  async schedules(queue: string): Promise<ListedSchedule[]> {
    const found = await this.queue(queue).getJobSchedulers(0, 99, true);
    return found.map((entry) => ({
      id: entry.key,
      name: entry.name,
      when: entry.pattern ?? `every ${Number(entry.every) / 1000} s`,
      nextAt: entry.next ? new Date(Number(entry.next)) : null,
    }));
  }

  async counts(queue: string): Promise<Record<JobState, number>> {
    const counts = await this.queue(queue).getJobCounts('waiting', 'delayed', 'active', 'prioritized');
    return {
      waiting: (counts.waiting ?? 0) + (counts.prioritized ?? 0),
      delayed: counts.delayed ?? 0,
      active: counts.active ?? 0,
    };
  }

  async list(queue: string, state: JobState, offset: number, limit: number): Promise<ListedJob[]> {
    const jobs = await this.queue(queue).getJobs([state], offset, offset + limit - 1, true);
    return jobs.filter(Boolean).map((job) => ({
      id: String(job.id),
      name: job.name,
      data: job.data as JobData,
      at: state === 'delayed' ? new Date(job.timestamp + (job.delay ?? 0)) : null,
    }));
  }

  /** When the job that has waited longest was added, or null. */
  async oldestWaiting(queue: string): Promise<Date | null> {
    const [job] = await this.queue(queue).getJobs(['waiting'], 0, 0, true);
    return job ? new Date(job.timestamp + (job.delay ?? 0)) : null;
  }

  /** Starts to take jobs of a queue, once a process. */
  work(queue: string, work: JobWork): void {
    if (this.workers.has(queue)) throw new Error(`The queue ${queue} has a worker already.`);
    const worker = new Worker(
      queue,
      (job, token) => this.runOne(queue, work, job, token),
      {
        connection: this.connection.worker as never,
        concurrency: work.concurrency,
        maxStalledCount: STALLED_TWICE,
        // A job of a process that was killed is taken over within half a minute.
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
        // A wait without end would hide a job that was added while the backend lost the notice.
        drainDelay: 5,
      },
      this.connection.factory as never,
    );
    worker.on('error', this.onError);
    worker.on('failed', (job, error) => {
      if (!job || !isFinal(job, error)) return;
      void work.died(asDead(queue, job, error)).catch(this.onError);
    });
    this.workers.set(queue, worker);
  }

  /** Stops taking jobs, waits for the running ones up to `graceMs`, then lets them go back to the queue. */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.closeOnce(graceMs);
    return this.closing;
  }

  private async closeOnce(graceMs: number): Promise<void> {
    const workers = [...this.workers.values()];
    this.workers.clear();
    const done = Promise.all(workers.map((worker) => worker.close().catch(this.onError)));
    // A job that is late loses its lock with this process, and another worker takes it.
    await Promise.race([done, pause(graceMs)]);
    const queues = [...this.queues.values()];
    this.queues.clear();
    await Promise.race([
      Promise.all(queues.map((queue) => queue.close().catch(this.onError))).then(() =>
        this.connection.close(),
      ),
      pause(CLOSE_LIMIT_MS),
    ]);
  }

  private queue(name: string): Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(
        name,
        { connection: this.connection.producer as never },
        this.connection.factory as never,
      );
      queue.on('error', this.onError);
      this.queues.set(name, queue);
    }
    return queue;
  }

  private async runOne(queue: string, work: JobWork, job: LibraryJob, token?: string): Promise<void> {
    const started = performance.now();
    let failed = false;
    const rules = work.rulesOf(job.name);
    // The rules belong to the worker's code, not to the process that added the job.
    job.opts.attempts = rules?.attempts ?? 1;
    job.opts.backoff = { type: 'exponential', delay: rules?.backoffMs ?? 0 };
    try {
      if (!rules) throw new HopelessJob(`No handler for ${job.name} in the queue ${queue}.`);
      const outcome = await withLimit(
        work.run({
          id: String(job.id),
          name: job.name,
          data: job.data as JobData,
          attempt: job.attemptsMade + 1,
        }),
        rules.timeoutMs,
      );
      if (outcome?.again) {
        await job.moveToDelayed(outcome.again.getTime(), token);
        throw new DelayedError();
      }
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      failed = true;
      const reason = error instanceof Error ? error : new Error(String(error));
      if (isFinal(job, reason, 1)) await work.died(asDead(queue, job, reason, 1));
      throw reason;
    } finally {
      work.finished?.({ queue, name: job.name, seconds: (performance.now() - started) / 1000, failed });
    }
  }
}

/** @throws Error when the id is not of the form that both backends take. */
export function checkJobId(id: string): void {
  if (!ID.test(id)) throw new Error(`"${id}" is no job id: use A-Z a-z 0-9 _ - and not digits alone.`);
}

function isFinal(job: LibraryJob, error: Error, running = 0): boolean {
  if (error instanceof UnrecoverableError || /stalled more than/.test(error.message)) return true;
  return job.attemptsMade + running >= (job.opts.attempts ?? 1);
}

function asDead(queue: string, job: LibraryJob, error: Error, running = 0): DeadJob {
  return {
    queue,
    id: String(job.id),
    name: job.name,
    data: job.data as JobData,
    error,
    attempts: job.attemptsMade + running,
  };
}

function groupByQueue(jobs: readonly JobToAdd[]): Map<string, JobToAdd[]> {
  const groups = new Map<string, JobToAdd[]>();
  for (const job of jobs) groups.set(job.queue, [...(groups.get(job.queue) ?? []), job]);
  return groups;
}

async function withLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`The job ran longer than ${ms / 1000} s.`)), ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms).unref());
}
