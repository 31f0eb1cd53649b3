import type { SignalChannel, SignalPayload } from '#libs/kernel/ports/signals.js';

type Handler = (payload: SignalPayload) => void;

/** Who hears which channel in this process. One handler that fails does not keep the others from hearing. */
export class SignalHandlers {
  private readonly byChannel = new Map<SignalChannel, Set<Handler>>();
  private readonly resync = new Set<() => void>();

  constructor(private readonly failed: (error: unknown) => void) {}

  subscribe(channel: SignalChannel, handler: Handler): () => void {
    const handlers = this.byChannel.get(channel) ?? new Set();
    this.byChannel.set(channel, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  onResync(handler: () => void): () => void {
    this.resync.add(handler);
    return () => this.resync.delete(handler);
  }

  deliver(channel: SignalChannel, payload: SignalPayload): void {
    for (const handler of this.byChannel.get(channel) ?? []) this.guarded(() => handler(payload));
  }

  announceResync(): void {
    for (const handler of this.resync) this.guarded(handler);
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.failed(error);
    }
  }
}
