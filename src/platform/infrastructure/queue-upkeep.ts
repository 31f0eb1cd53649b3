import { Injectable, Logger } from '@nestjs/common';
import { Ids } from '#libs/kernel/ids.js';
import { JobQueues } from '#libs/messaging/job-queues.js';
import { Database } from '#libs/persistence/database.js';
import { JobSources } from '../application/ports/job-sources.js';
import { OutboxJobs } from './outbox-jobs.js';
import { OutboxRelay } from './outbox-relay.js';

export const MAINTENANCE_QUEUE = 'maintenance';

const RECONCILE = 'reconcile';
const RECONCILE_MS = 300_000;
const CHECK_MS = 10_000;
const RECONCILE_LOCK = 7_215_011;

/**
 * Notices that the queue backend lost its data, and fills it again from the rows (`platform.md` 8.2). The template of
 * the schedule `reconcile` holds a random epoch that PostgreSQL holds too. Runs in workers.
 */
@Injectable()
export class QueueUpkeep {
  private readonly logger = new Logger('jobs');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
    private readonly queues: JobQueues,
    private readonly jobs: OutboxJobs,
    private readonly relay: OutboxRelay,
    private readonly sources: JobSources,
  ) {
    // The safety net: the same pass while nothing seems lost.
    jobs.process(MAINTENANCE_QUEUE, RECONCILE, async () => {
      await this.refill();
      return undefined;
    });
  }

  /** Sets the schedules of this release, and looks after the backend until `stop`. A backend that is away is no error. */
  start(): void {
    this.timer = setInterval(() => this.check(), CHECK_MS);
    this.timer.unref();
    this.inBackground(async () => {
      const { warning } = await this.queues.describe();
      if (warning) this.logger.warn({ msg: warning });
      await this.setSchedules();
      await this.checkEpoch();
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Null when the backend holds nothing of ours. */
  async epoch(): Promise<string | null> {
    const data = await this.queues.scheduleData(MAINTENANCE_QUEUE, RECONCILE);
    return typeof data?.epoch === 'string' ? data.epoch : null;
  }

  /** True when the backend holds what PostgreSQL says that it should. */
  async epochIsRight(): Promise<boolean> {
    const held = await this.epoch();
    const row = await this.database.one<{ epoch: string }>('SELECT epoch FROM platform.queue_epoch');
    return held !== null && held === row?.epoch;
  }

  /** Fills a backend that lost its data. One process at a time; the others find it done. */
  async checkEpoch(): Promise<void> {
    if (await this.epochIsRight()) return;
    await this.database.run(async () => {
      const lock = await this.database.one<{ taken: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1) AS taken',
        [RECONCILE_LOCK],
      );
      if (!lock?.taken || (await this.epochIsRight())) return;
      const known = await this.database.one('SELECT 1 FROM platform.queue_epoch');
      if (known) this.logger.warn({ msg: 'The queue lost its data; filling it from the rows' });
      await this.setSchedules();
      await this.refill();
      const epoch = this.ids.next();
      await this.queues.schedule(MAINTENANCE_QUEUE, RECONCILE, RECONCILE, { ms: RECONCILE_MS }, { epoch });
      await this.database.query(
        `INSERT INTO platform.queue_epoch (epoch, written_at) VALUES ($1, now())
         ON CONFLICT (single) DO UPDATE SET epoch = excluded.epoch, written_at = excluded.written_at`,
        [epoch],
      );
    });
  }

  private async setSchedules(): Promise<void> {
    for (const { queue, id, name, when } of this.jobs.schedules) {
      await this.queues.schedule(queue, id, name, when);
    }
  }

  /** Adds every job that the rows call for; those that exist stay as they are. */
  private async refill(): Promise<void> {
    for await (const page of this.relay.undelivered()) await this.queues.add(...page);
    for (const source of this.sources.all) {
      for await (const page of source.pages()) await this.queues.add(...page);
    }
  }

  private check(): void {
    this.inBackground(() => this.checkEpoch());
  }

  private inBackground(work: () => Promise<void>): void {
    if (this.running) return;
    this.running = work()
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'The queue could not be looked after; it is tried again', err: error }),
      )
      .finally(() => {
        this.running = null;
      });
  }
}
