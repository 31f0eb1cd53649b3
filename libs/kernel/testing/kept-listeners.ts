import type { EventListener } from '../domain-event.js';
import { EventListeners } from '../ports/event-listeners.js';

/** Keeps who registered, by name, for a test that hands out events itself. */
export class KeptListeners extends EventListeners {
  readonly kept = new Map<string, EventListener>();

  override register(listener: EventListener): void {
    this.kept.set(listener.name, listener);
  }
}
