import { Injectable, Logger } from '@nestjs/common';
import { Signals } from '#libs/kernel/ports/signals.js';
import { Metrics } from '#libs/observability/metrics.js';
import { Database } from '#libs/persistence/database.js';
import type { JobCall } from '../application/ports/job-sources.js';
import { EVENTS_QUEUE } from './event-delivery.js';
import { OutboxJobs } from './outbox-jobs.js';
import { RegisteredListeners } from './registered-listeners.js';

const BATCH = 200;
const POLL_MS = 1_000;
/** One relay dispatches at a time, so that a later event of an aggregate is never ahead of an earlier one. */
const RELAY_LOCK = 7_215_010;

interface Waiting {
  id: string;
  type: string;
  aggregate_id: string;
  position: number;
}

/** Turns events of the outbox into one job per listener (`platform.md` 8.1). Runs in workers. */
@Injectable()
export class OutboxRelay {
  private readonly logger = new Logger('outbox');
  private timer: NodeJS.Timeout | undefined;
  private stops: (() => void)[] = [];
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = true;

  constructor(
    private readonly database: Database,
    private readonly jobs: OutboxJobs,
    private readonly listeners: RegisteredListeners,
    private readonly signals: Signals,
    private readonly metrics: Metrics,
  ) {}

  start(): void {
    this.stopped = false;
    this.stops = [
      this.signals.subscribe('outbox', () => this.wake()),
      this.signals.onResync(() => this.wake()),
    ];
    this.timer = setInterval(() => this.wake(), POLL_MS);
    this.timer.unref();
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    for (const stop of this.stops.splice(0)) stop();
    await this.running;
  }

  /** Dispatches one batch. Says how many events; 0 also while another process does it. */
  async pass(): Promise<number> {
    return this.database.run(async () => {
      const lock = await this.database.one<{ taken: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1) AS taken',
        [RELAY_LOCK],
      );
      if (!lock?.taken) return 0;
      const events = await this.database.query<Waiting>(
        `SELECT id, type, aggregate_id, position FROM platform.outbox_events
         WHERE dispatched_at IS NULL ORDER BY position LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      );
      if (events.length === 0) return 0;
      await this.dispatch(events);
      return events.length;
    });
  }

  /** Jobs of events that were dispatched since then, by default in the last hour, and not delivered. */
  async *undelivered(since: Date | null = null): AsyncIterable<readonly JobCall[]> {
    for (let after = { event: '00000000-0000-0000-0000-000000000000', listener: '' }; ; ) {
      const rows = await this.database.query<{ event_id: string; listener: string }>(
        `SELECT event_id, listener FROM platform.listener_records r
         WHERE delivered_at IS NULL AND dispatched_at >= coalesce($3::timestamptz, now() - interval '1 hour')
           AND (event_id, listener) > ($1::uuid, $2)
           AND NOT EXISTS (SELECT 1 FROM platform.dead_jobs d WHERE d.queue = '${EVENTS_QUEUE}'
             AND d.data ->> 'eventId' = r.event_id::text AND d.data ->> 'listener' = r.listener
             AND d.resolution IS DISTINCT FROM 'retried')
         ORDER BY event_id, listener LIMIT 500`,
        [after.event, after.listener, since],
      );
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map(({ event_id, listener }) => deliveryJob(event_id, listener));
      after = { event: last.event_id, listener: last.listener };
    }
  }

  /** Seconds since the oldest event that waits for its dispatch; 0 when there is none. */
  async lagSeconds(): Promise<number> {
    const row = await this.database.one<{ lag: number | null }>(
      `SELECT extract(epoch FROM now() - min(occurred_at))::float8 AS lag
       FROM platform.outbox_events WHERE dispatched_at IS NULL`,
    );
    return Math.max(0, row?.lag ?? 0);
  }

  /** Dispatched events go after 7 days, with their records. */
  async purge(): Promise<void> {
    await this.database.query(
      "DELETE FROM platform.outbox_events WHERE dispatched_at < now() - interval '7 days'",
    );
  }

  async measure(): Promise<void> {
    this.metrics.outboxLag.set(await this.lagSeconds());
  }

  private async dispatch(events: readonly Waiting[]): Promise<void> {
    const records = events.flatMap((event) =>
      this.listeners.of(event.type).map(({ name }) => ({
        event_id: event.id,
        listener: name,
        aggregate_id: event.aggregate_id,
        position: event.position,
      })),
    );
    if (records.length > 0) {
      await this.database.query(
        `INSERT INTO platform.listener_records (event_id, listener, aggregate_id, position, dispatched_at)
         SELECT event_id, listener, aggregate_id, position, now() FROM jsonb_to_recordset($1::jsonb)
           AS row (event_id uuid, listener text, aggregate_id text, position bigint)
         ON CONFLICT DO NOTHING`,
        [JSON.stringify(records)],
      );
      await this.jobs.addAll(records.map(({ event_id, listener }) => deliveryJob(event_id, listener)));
    }
    await this.database.query(
      'UPDATE platform.outbox_events SET dispatched_at = now() WHERE id = ANY($1::uuid[])',
      [events.map(({ id }) => id)],
    );
  }

  private wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.drain()
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'Events could not be dispatched; it is tried again', err: error }),
      )
      .finally(() => {
        this.running = null;
      });
  }

  private async drain(): Promise<void> {
    do {
      this.again = false;
      while (!this.stopped && (await this.pass()) === BATCH);
    } while (this.again && !this.stopped);
  }
}

/** One job an event and listener, so that a repeated dispatch adds none. */
export function deliveryJob(eventId: string, listener: string): JobCall {
  return {
    queue: EVENTS_QUEUE,
    id: `evt_${eventId}_${listener}`,
    name: 'deliver',
    data: { eventId, listener },
  };
}
