import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import type { NewDomainEvent } from '#libs/kernel/domain-event.js';
import { Ids } from '#libs/kernel/ids.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { Database } from '#libs/persistence/database.js';

const PAYLOAD_BYTES = 65_536;
const TYPE = /^[A-Z][A-Za-z]+$/;

/** Writes events beside the change that they tell of; the relay takes them from there. */
@Injectable()
export class SqlOutbox extends Outbox {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly signals: Signals,
  ) {
    super();
  }

  /** @throws Error without a unit of work, for a name that is not PascalCase, or a payload above 64 KB. */
  override async publish(actor: Actor, ...events: NewDomainEvent[]): Promise<void> {
    this.database.requireTransaction();
    if (events.length === 0) return;
    const payloads = events.map(payloadOf);
    // One statement for all of them, in their order: a change of thousands of cards tells of each.
    await this.database.hot(
      `INSERT INTO platform.outbox_events
         (id, type, version, aggregate_id, project_id, person_id, actor_kind, actor_id, payload, occurred_at)
       SELECT e.id, e.type, e.version, e.aggregate_id, e.project_id, e.person_id, $7, $8, e.payload, $9
         FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::uuid[], $6::uuid[], $10::jsonb[])
              WITH ORDINALITY AS e (id, type, version, aggregate_id, project_id, person_id, payload, place)
        ORDER BY e.place`,
      [
        events.map(() => this.ids.next()),
        events.map((event) => event.type),
        events.map((event) => event.version ?? 1),
        events.map((event) => event.aggregateId),
        events.map((event) => event.projectId ?? null),
        events.map((event) => event.personId ?? null),
        actor.kind,
        idOf(actor),
        this.clock.now(),
        payloads,
      ],
    );
    await this.signals.publish('outbox', {});
  }
}

function payloadOf({ type, payload }: NewDomainEvent): string {
  const text = JSON.stringify(payload);
  if (!TYPE.test(type)) throw new Error(`"${type}" is no name of an event.`);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES) {
    throw new Error(`The payload of ${type} is larger than ${PAYLOAD_BYTES} bytes.`);
  }
  return text;
}

function idOf(actor: Actor): string {
  if (actor.kind === 'console') return actor.osUser;
  if (actor.kind === 'system') return actor.jobName;
  return actor.kind === 'connection' ? actor.connectionId : (personIdOf(actor) ?? '');
}
