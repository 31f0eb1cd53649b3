import { type RateLimit, RateLimiter, type RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';
import { judge, type WindowCounts } from './sliding-window.js';

const FLUSH_MILLISECONDS = 1_000;
const KEYS_MAX = 50_000;

interface SharedStore extends RateLimiter {
  count(name: string, key: string, windowSeconds: number, hits: number): Promise<WindowCounts>;
}

interface Buffer {
  readonly name: string;
  readonly key: string;
  readonly windowSeconds: number;
  /** What the shared store said last, and when. */
  known: WindowCounts;
  knownAt: number;
  /** Hits since then. */
  pending: number;
  flushing: boolean;
}

/**
 * Counts limits that are marked `buffered` in the process and shares them with the other processes at most once a second
 * a key; all others go straight to the shared store. A store that fails forgives.
 */
export class BufferedRateLimiter extends RateLimiter {
  private readonly buffers = new Map<string, Buffer>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly store: SharedStore,
    private readonly onStoreError: () => void,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.timer = setInterval(() => void this.flush(), FLUSH_MILLISECONDS);
    this.timer.unref();
  }

  override async hit(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    if (limit.buffered) return this.hitBuffered(name, key, limit);
    return this.forgiving(() => this.store.hit(name, key, limit));
  }

  override async peek(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    return this.forgiving(() => this.store.peek(name, key, limit));
  }

  /** Shares what is pending and forgets keys that have gone quiet. */
  async flush(): Promise<void> {
    const work: Promise<void>[] = [];
    for (const [id, buffer] of this.buffers) {
      if (buffer.pending > 0) work.push(this.share(buffer));
      else if (this.now() - buffer.knownAt > 2_000 * buffer.windowSeconds) this.buffers.delete(id);
    }
    await Promise.all(work);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async hitBuffered(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    const id = `${name}\n${key}`;
    let buffer = this.buffers.get(id);
    if (!buffer) {
      buffer = {
        name,
        key,
        windowSeconds: limit.windowSeconds,
        known: { current: 0, previous: 0, elapsedSeconds: 0 },
        knownAt: this.now(),
        pending: 0,
        flushing: false,
      };
      if (this.buffers.size >= KEYS_MAX) this.buffers.delete(this.buffers.keys().next().value!);
      this.buffers.set(id, buffer);
      buffer.pending += 1;
      // The first hit of a key asks, so that a process that has just started does not forgive a whole limit.
      await this.share(buffer);
      return judge(this.estimate(buffer), limit);
    }
    buffer.pending += 1;
    return judge(this.estimate(buffer), limit);
  }

  /** What the shared store said, moved on to now, with the hits since. */
  private estimate({ known, knownAt, pending, windowSeconds }: Buffer): WindowCounts {
    const elapsed = known.elapsedSeconds + (this.now() - knownAt) / 1000;
    if (elapsed < windowSeconds)
      return { ...known, current: known.current + pending, elapsedSeconds: elapsed };
    const windows = Math.floor(elapsed / windowSeconds);
    return {
      current: pending,
      previous: windows === 1 ? known.current : 0,
      elapsedSeconds: elapsed - windows * windowSeconds,
    };
  }

  private async share(buffer: Buffer): Promise<void> {
    if (buffer.flushing) return;
    buffer.flushing = true;
    const hits = buffer.pending;
    try {
      const known = await this.store.count(buffer.name, buffer.key, buffer.windowSeconds, hits);
      buffer.known = known;
      buffer.knownAt = this.now();
      buffer.pending -= hits;
    } catch {
      this.onStoreError();
    } finally {
      buffer.flushing = false;
    }
  }

  private async forgiving(ask: () => Promise<RateLimitResult>): Promise<RateLimitResult> {
    try {
      return await ask();
    } catch {
      this.onStoreError();
      return { allowed: true, retryAfterSeconds: 0 };
    }
  }
}
