import { Redis } from 'ioredis';
import { type RateLimit, RateLimiter, type RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';
import { judge, type WindowCounts } from './sliding-window.js';

const TIMEOUT_MILLISECONDS = 500;

/** Counters in Redis. While it is away, or when it has lost its data, the fallback counts. */
export class RedisRateLimiter extends RateLimiter {
  private readonly redis: Redis;
  /** While it is away nobody waits for it; before the first answer of the server the calls do. */
  private lost = false;

  constructor(
    url: string,
    private readonly fallback: RateLimiter & {
      count(name: string, key: string, windowSeconds: number, hits: number): Promise<WindowCounts>;
    },
  ) {
    super();
    this.redis = new Redis(url, {
      commandTimeout: TIMEOUT_MILLISECONDS,
      maxRetriesPerRequest: 1,
      retryStrategy: (times) => Math.min(times * 200, 5_000),
    });
    // Without a listener a lost connection would end the process; the fallback is the answer to it.
    this.redis.on('error', () => {
      this.lost = true;
    });
    this.redis.on('ready', () => {
      this.lost = false;
    });
  }

  override async hit(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    return judge(await this.count(name, key, limit.windowSeconds, 1), limit);
  }

  override async peek(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    const counts = await this.count(name, key, limit.windowSeconds, 0);
    return judge({ ...counts, current: counts.current + 1 }, limit);
  }

  async count(name: string, key: string, windowSeconds: number, hits: number): Promise<WindowCounts> {
    const seconds = Date.now() / 1000;
    const number = Math.floor(seconds / windowSeconds);
    const of = (window: number): string => `loupe:rate:${name}:${key}:${window}`;
    if (this.lost) return this.fallback.count(name, key, windowSeconds, hits);
    try {
      const answers = await this.redis
        .multi()
        .incrby(of(number), hits)
        .expire(of(number), 2 * windowSeconds)
        .get(of(number - 1))
        .exec();
      const current = Number(answers?.[0]?.[1] ?? 0);
      const previous = Number(answers?.[2]?.[1] ?? 0);
      return { current, previous, elapsedSeconds: seconds - number * windowSeconds };
    } catch {
      return this.fallback.count(name, key, windowSeconds, hits);
    }
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }
}
