export interface RateLimitResult {
  readonly allowed: boolean;
  /** Whole seconds until the next hit may pass; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/** Limit of requests to `/api` and `/mcp` together, per address (`identity.md` 8): every door counts under this name. */
export const REQUESTS_PER_ADDRESS = 'api.address';

export interface RateLimit {
  readonly max: number;
  readonly windowSeconds: number;
  /** Counted in the process and shared at most once a second: for limits that every request meets. */
  readonly buffered?: boolean;
}

/** Sliding-window counters shared by all processes (`identity.md` 8). */
export abstract class RateLimiter {
  /** Counts one hit of `key` under the limit `name`, and says whether it passes. */
  abstract hit(name: string, key: string, limit: RateLimit): Promise<RateLimitResult>;
  /** Says whether a hit would pass, counting none. */
  abstract peek(name: string, key: string, limit: RateLimit): Promise<RateLimitResult>;
}
