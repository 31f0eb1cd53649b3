import { Injectable } from '@nestjs/common';
import { Signals } from '#libs/kernel/ports/signals.js';

/** Something to wait on that is armed before the state is read, so that nothing is missed in between. */
export interface ArmedWait {
  /** Ends when the artifact moved since the arming, after `ms` milliseconds, or when `signal` fires. */
  moved(ms: number, signal?: AbortSignal): Promise<void>;
  /** Must be called in the end. */
  disarm(): void;
}

class Waiter implements ArmedWait {
  private hasMoved = false;
  private wake: (() => void) | null = null;

  constructor(readonly disarm: () => void) {}

  touch(): void {
    this.hasMoved = true;
    this.wake?.();
  }

  async moved(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.hasMoved && !signal?.aborted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((done) => {
        this.wake = done;
        timer = setTimeout(done, ms);
        signal?.addEventListener('abort', () => done(), { once: true });
      });
      clearTimeout(timer);
      this.wake = null;
    }
    this.hasMoved = false;
  }
}

/** Who waits for which artifact, in this process. Waiting holds no database connection. */
@Injectable()
export class StatusSignals {
  private readonly waiting = new Map<string, Set<Waiter>>();

  constructor(signals: Signals) {
    signals.subscribe('artifact_status', ({ artifactId }) => {
      for (const waiter of this.waiting.get(String(artifactId)) ?? []) waiter.touch();
    });
    signals.onResync(() => {
      for (const waiters of this.waiting.values()) for (const waiter of waiters) waiter.touch();
    });
  }

  arm(artifactId: string): ArmedWait {
    const waiters = this.waiting.get(artifactId) ?? new Set();
    this.waiting.set(artifactId, waiters);
    const waiter: Waiter = new Waiter(() => {
      waiters.delete(waiter);
      if (waiters.size === 0 && this.waiting.get(artifactId) === waiters) this.waiting.delete(artifactId);
    });
    waiters.add(waiter);
    return waiter;
  }

  /** How many wait at the moment. */
  get size(): number {
    let size = 0;
    for (const waiters of this.waiting.values()) size += waiters.size;
    return size;
  }
}
