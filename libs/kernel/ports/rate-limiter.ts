export interface RateLimitResult {
  readonly allowed: boolean;
  /** Whole seconds until the next hit may pass; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/** Sliding-window counters shared by all processes (`identity.md` 8). */
export abstract class RateLimiter {
  /** Counts one hit of `key` under the limit `name`, and says whether it passes. */
  abstract hit(
    name: string,
    key: string,
    limit: { max: number; windowSeconds: number },
  ): Promise<RateLimitResult>;
  /** Says whether a hit would pass, counting none. */
  abstract peek(
    name: string,
    key: string,
    limit: { max: number; windowSeconds: number },
  ): Promise<RateLimitResult>;
}
