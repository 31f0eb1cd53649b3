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
    for (const event of events) await this.write(actor, event);
    await this.signals.publish('outbox', {});
  }

  private async write(actor: Actor, event: NewDomainEvent): Promise<void> {
    const payload = JSON.stringify(event.payload);
    if (!TYPE.test(event.type)) throw new Error(`"${event.type}" is no name of an event.`);
    if (Buffer.byteLength(payload) > PAYLOAD_BYTES) {
      throw new Error(`The payload of ${event.type} is larger than ${PAYLOAD_BYTES} bytes.`);
    }
    await this.database.query(
      `INSERT INTO platform.outbox_events
         (id, type, version, aggregate_id, project_id, person_id, actor_kind, actor_id, payload, occurred_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        this.ids.next(),
        event.type,
        event.version ?? 1,
        event.aggregateId,
        event.projectId ?? null,
        event.personId ?? null,
        actor.kind,
        idOf(actor),
        payload,
        this.clock.now(),
      ],
    );
  }
}

function idOf(actor: Actor): string {
  if (actor.kind === 'console') return actor.osUser;
  if (actor.kind === 'system') return actor.jobName;
  return actor.kind === 'connection' ? actor.connectionId : (personIdOf(actor) ?? '');
}
