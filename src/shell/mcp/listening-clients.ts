import type { Signals } from '#libs/kernel/ports/signals.js';

/** How long a stream may outlive its right when no signal told of the end. */
const RECHECK_MS = 10_000;

interface Listener {
  /** Whether the sign-in of the stream still holds. */
  readonly holds: () => Promise<boolean>;
  readonly end: () => void;
}

/**
 * The open event streams of `/mcp` in this process. Each ends within 10 s of the end of its sign-in: a revoked
 * connection, a suspended person, a lost membership (`platform.md` 8.4).
 */
export class ListeningClients {
  private readonly listeners = new Set<Listener>();
  private timer: NodeJS.Timeout | undefined;
  private stops: (() => void)[] = [];
  private checking = false;
  private wanted = false;

  start(signals: Pick<Signals, 'subscribe' | 'onResync'>): void {
    const recheck = () => void this.recheck();
    this.timer = setInterval(recheck, RECHECK_MS);
    this.timer.unref();
    this.stops = [signals.subscribe('access', recheck), signals.onResync(recheck)];
  }

  stop(): void {
    clearInterval(this.timer);
    for (const stop of this.stops.splice(0)) stop();
  }

  /** @returns what to call when the stream is over. */
  follow(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ends every stream whose sign-in has gone. A call that comes meanwhile leads to one more pass. */
  async recheck(): Promise<void> {
    this.wanted = true;
    if (this.checking) return;
    this.checking = true;
    try {
      while (this.wanted) {
        this.wanted = false;
        for (const listener of [...this.listeners]) {
          // While the database is away nobody loses a stream; the next pass asks again.
          if (await listener.holds().catch(() => true)) continue;
          this.listeners.delete(listener);
          listener.end();
        }
      }
    } finally {
      this.checking = false;
    }
  }
}
