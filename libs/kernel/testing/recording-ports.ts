import type { Actor } from '../actor.js';
import type { NewDomainEvent } from '../domain-event.js';
import { Audit, type AuditEntry } from '../ports/audit.js';
import { type LiveUpdate, LiveUpdates } from '../ports/live-updates.js';
import { Outbox } from '../ports/outbox.js';

/** Keeps what was published, for tests to look at. */
export class RecordingOutbox extends Outbox {
  readonly events: NewDomainEvent[] = [];

  override async publish(_actor: Actor, ...events: NewDomainEvent[]): Promise<void> {
    this.events.push(...events);
  }
}

/** Keeps what was recorded, for tests to look at. */
export class RecordingAudit extends Audit {
  readonly entries: (AuditEntry & { actor: Actor })[] = [];

  override async record(actor: Actor, ...entries: AuditEntry[]): Promise<void> {
    this.entries.push(...entries.map((entry) => ({ ...entry, actor })));
  }
}

/** Keeps what was sent to pages, for tests to look at. */
export class RecordingLiveUpdates extends LiveUpdates {
  readonly sent: (LiveUpdate & { topic: string })[] = [];

  override async publish(topic: string, update: LiveUpdate): Promise<void> {
    this.sent.push({ topic, ...update });
  }
}
