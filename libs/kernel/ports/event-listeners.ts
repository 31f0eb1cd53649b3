import type { EventListener } from '../domain-event.js';

/** Who hears events of other contexts. Contexts register their reactions when their module starts, in every process. */
export abstract class EventListeners {
  /** @throws when the name is taken, or is not of `[a-z0-9_-]`. */
  abstract register(listener: EventListener): void;
}
