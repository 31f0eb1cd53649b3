import { type SignalChannel, type SignalPayload, Signals } from '#libs/kernel/ports/signals.js';
import type { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { SignalHandlers } from '../signal-handlers.js';

/** Signals inside one process, delivered after the commit of the unit of work that it is given. */
export class InMemorySignals extends Signals {
  private readonly handlers = new SignalHandlers((error) => {
    throw error;
  });
  private up = true;

  constructor(private readonly unitOfWork?: UnitOfWork) {
    super();
  }

  override get connected(): boolean {
    return this.up;
  }

  override async publish(channel: SignalChannel, payload: SignalPayload): Promise<void> {
    const deliver = (): void => {
      if (this.up) setImmediate(() => this.handlers.deliver(channel, payload));
    };
    if (this.unitOfWork) this.unitOfWork.afterCommit(deliver);
    else deliver();
  }

  override subscribe(channel: SignalChannel, handler: (payload: SignalPayload) => void): () => void {
    return this.handlers.subscribe(channel, handler);
  }

  override onResync(handler: () => void): () => void {
    return this.handlers.onResync(handler);
  }

  /** Signals sent from now on are lost. */
  cut(): void {
    this.up = false;
  }

  restore(): void {
    this.up = true;
    this.handlers.announceResync();
  }
}
