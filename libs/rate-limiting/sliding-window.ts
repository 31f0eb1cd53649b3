import type { RateLimit, RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';

/** Hits of one key in the current fixed window and in the one before. */
export interface WindowCounts {
  readonly current: number;
  readonly previous: number;
  /** Seconds since the current window began. */
  readonly elapsedSeconds: number;
}

/**
 * The sliding-window counter: the hits of the window before count in the share of it that still lies within the last
 * `windowSeconds`. See "How we built rate limiting capable of scaling to millions of domains" (Cloudflare, 2017).
 */
export function judge(counts: WindowCounts, limit: RateLimit): RateLimitResult {
  const { windowSeconds, max } = limit;
  const share = Math.max(0, 1 - counts.elapsedSeconds / windowSeconds);
  if (counts.previous * share + counts.current <= max) return { allowed: true, retryAfterSeconds: 0 };
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(secondsUntilFree(counts, limit))) };
}

function secondsUntilFree(
  { current, previous, elapsedSeconds }: WindowCounts,
  { max, windowSeconds }: RateLimit,
): number {
  if (current <= max && previous > 0) {
    const shareThatFits = (max - current) / previous;
    const wait = windowSeconds * (1 - shareThatFits) - elapsedSeconds;
    if (wait <= windowSeconds - elapsedSeconds) return wait;
  }
  // The hits of this window weigh on the next one until enough of them have slid out.
  return windowSeconds - elapsedSeconds + windowSeconds * Math.max(0, 1 - max / current);
}
