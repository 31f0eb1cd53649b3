import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventActor } from '#libs/kernel/domain-event.js';
import type { Job, JobOutcome } from '#libs/kernel/ports/jobs.js';
import { HopelessJob } from '#libs/messaging/job-queues.js';
import { Database } from '#libs/persistence/database.js';
import { RegisteredListeners } from './registered-listeners.js';

export const EVENTS_QUEUE = 'events';

const TURN_SOON_MS = 250;
const TURN_LATER_MS = 2_000;
const UNKNOWN_LISTENER_MS = 10_000;
const UNKNOWN_LISTENER_LIMIT_MS = 3_600_000;

interface Row {
  id: string;
  type: string;
  version: number;
  aggregate_id: string;
  project_id: string | null;
  person_id: string | null;
  actor_kind: EventActor['kind'];
  actor_id: string | null;
  payload: Record<string, unknown>;
  occurred_at: Date;
  position: number;
  dispatched_at: Date;
}

/** Hands an event to one listener, in a transaction that also marks the delivery, so that a repeat is skipped. */
@Injectable()
export class EventDelivery {
  constructor(
    private readonly database: Database,
    private readonly listeners: RegisteredListeners,
  ) {}

  async handle(job: Job): Promise<JobOutcome> {
    const { eventId, listener: name } = job.data;
    if (typeof eventId !== 'string' || typeof name !== 'string') {
      throw new HopelessJob('The job names no event and listener.');
    }
    const row = await this.database.one<Row>(
      `SELECT e.*, r.dispatched_at FROM platform.outbox_events e
       JOIN platform.listener_records r ON r.event_id = e.id AND r.listener = $2
       WHERE e.id = $1 AND r.delivered_at IS NULL`,
      [eventId, name],
    );
    if (!row) return undefined;
    const listener = this.listeners.named(name);
    if (!listener) {
      // While a release rolls out, an older worker may get a job of a listener that it does not have.
      if (Date.now() - row.dispatched_at.getTime() < UNKNOWN_LISTENER_LIMIT_MS)
        return again(UNKNOWN_LISTENER_MS);
      throw new HopelessJob(`No listener is called ${name}.`);
    }
    if (await this.mustWait(row, name)) {
      const fresh = Date.now() - row.dispatched_at.getTime() < 10_000;
      return again(fresh ? TURN_SOON_MS : TURN_LATER_MS);
    }
    await this.database.run(async () => {
      const claimed = await this.database.query(
        `UPDATE platform.listener_records SET delivered_at = now()
         WHERE event_id = $1 AND listener = $2 AND delivered_at IS NULL RETURNING 1`,
        [eventId, name],
      );
      if (claimed.length > 0) await listener.handle(eventOf(row));
    });
    return undefined;
  }

  /** True while an earlier event of the aggregate is on its way to this listener. One that was given up does not block. */
  private async mustWait(row: Row, listener: string): Promise<boolean> {
    const earlier = await this.database.one(
      `SELECT 1 FROM platform.listener_records r
       WHERE r.listener = $1 AND r.aggregate_id = $2 AND r.position < $3 AND r.delivered_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM platform.dead_jobs d WHERE d.queue = '${EVENTS_QUEUE}'
           AND d.data ->> 'eventId' = r.event_id::text AND d.data ->> 'listener' = r.listener
             AND d.resolution IS DISTINCT FROM 'retried')
       LIMIT 1`,
      [listener, row.aggregate_id, row.position],
    );
    return earlier !== null;
  }
}

function again(ms: number): JobOutcome {
  return { again: new Date(Date.now() + ms) };
}

function eventOf(row: Row): DomainEvent {
  return {
    id: row.id,
    type: row.type,
    version: row.version,
    aggregateId: row.aggregate_id,
    projectId: row.project_id,
    personId: row.person_id,
    actor: { kind: row.actor_kind, id: row.actor_id },
    payload: row.payload,
    occurredAt: row.occurred_at,
  };
}
