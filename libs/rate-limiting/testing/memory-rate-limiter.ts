import { type RateLimit, RateLimiter, type RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';
import { judge, type WindowCounts } from '../sliding-window.js';

/** Counters of one process, for tests. */
export class MemoryRateLimiter extends RateLimiter {
  private readonly hits = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  override async hit(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    return judge(await this.count(name, key, limit.windowSeconds, 1), limit);
  }

  override async peek(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    const counts = await this.count(name, key, limit.windowSeconds, 0);
    return judge({ ...counts, current: counts.current + 1 }, limit);
  }

  async count(name: string, key: string, windowSeconds: number, hits: number): Promise<WindowCounts> {
    const seconds = this.now() / 1000;
    const number = Math.floor(seconds / windowSeconds);
    const id = (window: number): string => `${name}:${key}:${window}`;
    const current = (this.hits.get(id(number)) ?? 0) + hits;
    this.hits.set(id(number), current);
    return {
      current,
      previous: this.hits.get(id(number - 1)) ?? 0,
      elapsedSeconds: seconds - number * windowSeconds,
    };
  }
}
