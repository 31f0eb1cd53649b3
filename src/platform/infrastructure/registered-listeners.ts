import { Injectable } from '@nestjs/common';
import type { EventListener } from '#libs/kernel/domain-event.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,99}$/;

@Injectable()
export class RegisteredListeners extends EventListeners {
  private readonly byName = new Map<string, EventListener>();
  private readonly byType = new Map<string, EventListener[]>();

  override register(listener: EventListener): void {
    if (!NAME.test(listener.name)) throw new Error(`"${listener.name}" is no name of a listener.`);
    if (this.byName.has(listener.name)) throw new Error(`Two listeners are called ${listener.name}.`);
    this.byName.set(listener.name, listener);
    for (const type of listener.types) {
      this.byType.set(type, [...(this.byType.get(type) ?? []), listener]);
    }
  }

  named(name: string): EventListener | undefined {
    return this.byName.get(name);
  }

  of(type: string): readonly EventListener[] {
    return this.byType.get(type) ?? [];
  }
}
