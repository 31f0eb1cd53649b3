import type { Actor } from '../actor.js';
import type { NewDomainEvent } from '../domain-event.js';

/** Domain events, written in the transaction of the change and delivered at least once after it. */
export abstract class Outbox {
  /** @throws when no unit of work is running. */
  abstract publish(actor: Actor, ...events: NewDomainEvent[]): Promise<void>;
}
