import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { JobQueues } from '#libs/messaging/job-queues.js';
import { PostgresSignals } from '#libs/messaging/postgres-signals.js';
import { Metrics } from '#libs/observability/metrics.js';
import { PurgeAudit } from '../application/commands/purge-audit.js';
import { LiveStreams } from '../application/live-streams.js';
import { StatusChecks } from '../application/ports/status-checks.js';
import { BackendQueueView } from './backend-queue-view.js';
import { CachedFlags } from './cached-flags.js';
import { EVENTS_QUEUE, EventDelivery } from './event-delivery.js';
import { LiveEventLog } from './live-event-log.js';
import { OutboxJobs } from './outbox-jobs.js';
import { OutboxRelay } from './outbox-relay.js';
import { PlatformChecks } from './platform-checks.js';
import { ProcessHeartbeat } from './process-heartbeat.js';
import { QueueUpkeep } from './queue-upkeep.js';
import { SqlLiveFeed } from './sql-live-feed.js';
import { SqlRequestResults } from './sql-request-results.js';

const GRACE_MS = 30_000;
const SWEEP_MS = 5_000;
const MEASURE_MS = 30_000;
const PURGE_QUEUE = 'purge';

/** Starts the moving parts of the platform in order, and stops them in the other. */
@Injectable()
export class PlatformRuntime
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger('platform');
  private timers: NodeJS.Timeout[] = [];
  private stopped: Promise<void> | null = null;

  constructor(
    private readonly configuration: Configuration,
    private readonly signals: PostgresSignals,
    private readonly flags: CachedFlags,
    private readonly queues: JobQueues,
    private readonly jobs: OutboxJobs,
    private readonly relay: OutboxRelay,
    private readonly delivery: EventDelivery,
    private readonly upkeep: QueueUpkeep,
    private readonly queueView: BackendQueueView,
    private readonly liveFeed: SqlLiveFeed,
    private readonly liveLog: LiveEventLog,
    private readonly liveStreams: LiveStreams,
    private readonly results: SqlRequestResults,
    private readonly heartbeat: ProcessHeartbeat,
    private readonly checks: PlatformChecks,
    private readonly statusChecks: StatusChecks,
    private readonly purgeAudit: PurgeAudit,
    private readonly metrics: Metrics,
  ) {}

  /** Flags are loaded before any other module needs one. */
  async onModuleInit(): Promise<void> {
    await this.signals.start();
    await this.flags.start();
    this.statusChecks.register(...this.checks.all);
    this.registerJobs();
  }

  onApplicationBootstrap(): void {
    this.liveFeed.start();
    this.liveStreams.start();
    this.heartbeat.start();
    this.repeat(SWEEP_MS, () => this.jobs.sweep());
    this.repeat(MEASURE_MS, async () => this.metrics.liveStreams.set(this.liveStreams.count));
    // A worker need not listen on a port, so web processes tell of the queue and the outbox too.
    this.repeat(MEASURE_MS, async () => {
      await this.relay.measure();
      await this.queueView.measure();
    });
    if (this.configuration.values.role === 'web') return;
    this.jobs.startWorking();
    this.relay.start();
    this.upkeep.start();
  }

  /** Before the HTTP server closes: streams would hold it open, and jobs need the database that closes after it. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    this.liveStreams.stop();
    this.liveFeed.stop();
    await this.stopWorking();
  }

  /**
   * Takes no more jobs and ends after those that run, 30 s at most. What requests still add waits in the outbox for the
   * next process. A second call waits for the first.
   */
  stopWorking(): Promise<void> {
    this.stopped ??= Promise.all([this.relay.stop(), this.upkeep.stop()]).then(() =>
      this.queues.close(GRACE_MS),
    );
    return this.stopped;
  }

  async onApplicationShutdown(): Promise<void> {
    this.flags.stop();
    await this.heartbeat.stop();
    await this.signals.stop();
  }

  private registerJobs(): void {
    this.jobs.process(EVENTS_QUEUE, 'deliver', (job) => this.delivery.handle(job), { concurrency: 8 });
    this.jobs.process(PURGE_QUEUE, 'purge-audit', async ({ name }) => {
      await this.purgeAudit.execute({ kind: 'system', jobName: name });
      return undefined;
    });
    this.jobs.process(PURGE_QUEUE, 'purge-delivered', async () => {
      await this.relay.purge();
      await this.jobs.purge();
      await this.results.purge();
      await this.liveLog.purge();
      await this.heartbeat.purge();
      return undefined;
    });
    this.jobs.every(PURGE_QUEUE, 'purge-audit', 'purge-audit', { cron: '45 * * * *' });
    this.jobs.every(PURGE_QUEUE, 'purge-delivered', 'purge-delivered', { cron: '35 * * * *' });
  }

  private repeat(ms: number, work: () => Promise<unknown>): void {
    let running = false;
    const timer = setInterval(() => {
      if (running) return;
      running = true;
      work()
        .catch((error: unknown) => this.logger.warn({ msg: 'Upkeep failed; it is tried again', err: error }))
        .finally(() => {
          running = false;
        });
    }, ms);
    timer.unref();
    this.timers.push(timer);
  }
}
