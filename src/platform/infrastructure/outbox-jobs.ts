import { Injectable, Logger } from '@nestjs/common';
import { Ids } from '#libs/kernel/ids.js';
import {
  type Job,
  type JobData,
  type JobHandler,
  type JobOutcome,
  Jobs,
  type ProcessOptions,
} from '#libs/kernel/ports/jobs.js';
import { checkJobId, type DeadJob, JobQueues, type JobRules } from '#libs/messaging/job-queues.js';
import { Metrics } from '#libs/observability/metrics.js';
import { Database } from '#libs/persistence/database.js';
import { DeadJobs } from '../application/ports/dead-jobs.js';
import type { JobCall } from '../application/ports/job-sources.js';

const BATCH = 200;
const DEFAULT_RULES: JobRules = { attempts: 4, backoffMs: 5_000, timeoutMs: 300_000 };
const ALL_NAMES = '*';

interface Handler extends JobRules {
  readonly handle: JobHandler;
}

interface QueueHandlers {
  concurrency: number;
  readonly byName: Map<string, Handler>;
}

export interface Schedule {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly when: { ms: number } | { cron: string };
}

interface OutboxRow {
  id: string;
  queue: string;
  job_id: string;
  name: string;
  data: JobData;
  not_before: Date | null;
}

/**
 * Jobs by way of `job_outbox`: the row commits with the change, the queue hears of it afterwards. A queue that is away
 * costs delay: `sweep` hands over what is left.
 */
@Injectable()
export class OutboxJobs extends Jobs {
  private readonly logger = new Logger('jobs');
  private readonly handlers = new Map<string, QueueHandlers>();
  private readonly scheduled = new Map<string, Schedule>();
  private working = false;

  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
    private readonly queues: JobQueues,
    private readonly deadJobs: DeadJobs,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  override async add(
    queue: string,
    id: string,
    name: string,
    data: JobData,
    options: { readonly notBefore?: Date } = {},
  ): Promise<void> {
    await this.addAll([{ queue, id, name, data, notBefore: options.notBefore ?? null }]);
  }

  /** Several at once, in one statement. */
  async addAll(calls: readonly JobCall[]): Promise<void> {
    if (calls.length === 0) return;
    for (const { id } of calls) checkJobId(id);
    const rows = calls.map(
      (call): OutboxRow => ({
        id: this.ids.next(),
        queue: call.queue,
        job_id: call.id,
        name: call.name,
        data: call.data,
        not_before: call.notBefore ?? null,
      }),
    );
    await this.database.query(
      `INSERT INTO platform.job_outbox (id, queue, job_id, name, data, not_before)
       SELECT id, queue, job_id, name, data, not_before FROM jsonb_to_recordset($1::jsonb)
         AS row (id uuid, queue text, job_id text, name text, data jsonb, not_before timestamptz)`,
      [JSON.stringify(rows)],
    );
    this.database.afterCommit(() => this.handOver(rows));
  }

  override async remove(queue: string, id: string): Promise<void> {
    this.database.afterCommit(() =>
      this.queues.remove(queue, id).catch((error: unknown) => this.away('remove a job from', error)),
    );
  }

  override every(queue: string, id: string, name: string, when: { ms: number } | { cron: string }): void {
    checkJobId(id);
    this.scheduled.set(`${queue} ${id}`, { queue, id, name, when });
  }

  override process(
    queue: string,
    name: string,
    handle: JobHandler,
    options: Partial<ProcessOptions> = {},
  ): void {
    const known = this.handlers.get(queue) ?? { concurrency: 1, byName: new Map<string, Handler>() };
    if (known.byName.has(name)) throw new Error(`${name} in the queue ${queue} has a handler already.`);
    const { attempts, backoffMs, timeoutMs } = { ...DEFAULT_RULES, ...options };
    known.byName.set(name, { handle, attempts, backoffMs, timeoutMs });
    known.concurrency = Math.max(known.concurrency, options.concurrency ?? 1);
    const isNew = !this.handlers.has(queue);
    this.handlers.set(queue, known);
    if (this.working && isNew) this.workOn(queue, known);
  }

  /** Takes jobs from now on: for processes whose role is worker. */
  startWorking(): void {
    this.working = true;
    for (const [queue, handlers] of this.handlers) this.workOn(queue, handlers);
  }

  /** Queues that have a handler or a schedule, in order of name. */
  get queueNames(): string[] {
    const scheduled = [...this.scheduled.values()].map(({ queue }) => queue);
    return [...new Set([...this.handlers.keys(), ...scheduled])].sort();
  }

  get schedules(): Schedule[] {
    return [...this.scheduled.values()];
  }

  /** Hands over rows that a process left behind 5 s ago or longer. Says how many. */
  async sweep(): Promise<number> {
    return this.database.run(async () => {
      const rows = await this.database.query<OutboxRow>(
        `SELECT id, queue, job_id, name, data, not_before FROM platform.job_outbox
         WHERE done_at IS NULL AND created_at < now() - interval '5 seconds'
         ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      );
      if (rows.length === 0) return 0;
      await this.queues.add(...rows.map(jobOf));
      await this.done(rows);
      return rows.length;
    });
  }

  /** Done rows go after a day, handled failures after 30. */
  async purge(): Promise<void> {
    await this.database.query("DELETE FROM platform.job_outbox WHERE done_at < now() - interval '1 day'");
    await this.database.query(
      "DELETE FROM platform.dead_jobs WHERE resolved_at < now() - interval '30 days'",
    );
  }

  private async handOver(rows: readonly OutboxRow[]): Promise<void> {
    try {
      await this.queues.add(...rows.map(jobOf));
      await this.done(rows);
    } catch (error) {
      this.away('add jobs to', error);
    }
  }

  private async done(rows: readonly OutboxRow[]): Promise<void> {
    await this.database.query('UPDATE platform.job_outbox SET done_at = now() WHERE id = ANY($1::uuid[])', [
      rows.map(({ id }) => id),
    ]);
  }

  private away(what: string, error: unknown): void {
    this.logger.warn({ msg: `Could not ${what} the queue; it is tried again`, err: error });
  }

  private workOn(queue: string, handlers: QueueHandlers): void {
    const find = (name: string): Handler | undefined =>
      handlers.byName.get(name) ?? handlers.byName.get(ALL_NAMES);
    this.queues.work(queue, {
      concurrency: handlers.concurrency,
      rulesOf: (name) => find(name) ?? null,
      run: (job) => this.run(find(job.name)!, job),
      died: (job) => this.died(job),
      finished: ({ name, seconds, failed }) => {
        this.metrics.jobDuration.observe({ queue, name }, seconds);
        if (failed) this.metrics.jobFailures.inc({ queue, name });
      },
    });
  }

  private async run(handler: Handler, job: Job): Promise<JobOutcome> {
    try {
      return await handler.handle(job);
    } catch (error) {
      this.logger.warn({
        msg: 'A job failed',
        job: job.name,
        jobId: job.id,
        attempt: job.attempt,
        err: error,
      });
      throw error;
    }
  }

  private async died(job: DeadJob): Promise<void> {
    await this.deadJobs.record({
      queue: job.queue,
      jobId: job.id,
      name: job.name,
      data: job.data,
      error: job.error.message,
      stack: job.error.stack ?? '',
      attempts: job.attempts,
    });
  }
}

function jobOf(row: OutboxRow): JobCall {
  return {
    queue: row.queue,
    id: row.job_id,
    name: row.name,
    data: row.data,
    notBefore: row.not_before,
  };
}
