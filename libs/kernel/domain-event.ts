import type { Actor } from './actor.js';

/** What a use case hands to the outbox; id and time are added there. */
export interface NewDomainEvent {
  /** PascalCase name from the catalogue in `docs/architecture.md`. */
  readonly type: string;
  /** Version of the payload, from 1; readers accept the previous one. */
  readonly version?: number;
  /** Events of one aggregate are delivered in order. */
  readonly aggregateId: string;
  readonly projectId?: string | null;
  readonly personId?: string | null;
  /** Ids and facts, at most 64 KB as JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Who caused an event, as it is stored with it. */
export interface EventActor {
  readonly kind: Actor['kind'];
  readonly id: string | null;
}

/** An event as a listener gets it, at least once. */
export interface DomainEvent extends Required<Omit<NewDomainEvent, 'projectId' | 'personId'>> {
  readonly id: string;
  readonly projectId: string | null;
  readonly personId: string | null;
  readonly actor: EventActor;
  readonly occurredAt: Date;
}

/** Listens to events of other contexts. `name` is unique and stable: delivery is recorded under it. */
export interface EventListener {
  readonly name: string;
  readonly types: readonly string[];
  /** Runs in a transaction of its own that also records the delivery, so a repeat is skipped. */
  handle(event: DomainEvent): Promise<void>;
}
