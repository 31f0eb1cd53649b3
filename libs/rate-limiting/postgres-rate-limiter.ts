import { type RateLimit, RateLimiter, type RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';
import { Database } from '#libs/persistence/database.js';
import { judge, type WindowCounts } from './sliding-window.js';

const COUNT = `
  WITH clock AS (
    SELECT floor(extract(epoch FROM clock_timestamp()) / $3)::bigint AS number,
           extract(epoch FROM clock_timestamp()) - floor(extract(epoch FROM clock_timestamp()) / $3) * $3 AS elapsed
  ), counted AS (
    INSERT INTO platform.rate_limits (name, key, window_number, hits, expires_at)
    SELECT $1, $2, number, $4, clock_timestamp() + make_interval(secs => 2 * $3) FROM clock WHERE $4 > 0
    ON CONFLICT (name, key, window_number) DO UPDATE SET hits = platform.rate_limits.hits + excluded.hits
    RETURNING hits
  )
  SELECT clock.number, clock.elapsed::float8 AS elapsed,
         coalesce((SELECT hits FROM counted),
                  (SELECT hits FROM platform.rate_limits WHERE name = $1 AND key = $2 AND window_number = clock.number),
                  0) AS current,
         coalesce((SELECT hits FROM platform.rate_limits
                   WHERE name = $1 AND key = $2 AND window_number = clock.number - 1), 0) AS previous
  FROM clock`;

/** Counters in an unlogged table: one upsert a hit. */
export class PostgresRateLimiter extends RateLimiter {
  constructor(private readonly database: Database) {
    super();
  }

  override async hit(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    return judge(await this.count(name, key, limit.windowSeconds, 1), limit);
  }

  override async peek(name: string, key: string, limit: RateLimit): Promise<RateLimitResult> {
    const counts = await this.count(name, key, limit.windowSeconds, 0);
    return judge({ ...counts, current: counts.current + 1 }, limit);
  }

  /** Adds `hits` and gives the counts after it. */
  async count(name: string, key: string, windowSeconds: number, hits: number): Promise<WindowCounts> {
    // Outside of the transaction of the caller: a refused command must not take its count back.
    const row = await this.database.outside(() =>
      this.database.one<{ current: number; previous: number; elapsed: number }>(COUNT, [
        name,
        key,
        windowSeconds,
        hits,
      ]),
    );
    return { current: row!.current, previous: row!.previous, elapsedSeconds: row!.elapsed };
  }

  /** Deletes counters that no window needs any more. @returns how many. */
  async purge(): Promise<number> {
    const rows = await this.database.query(
      'DELETE FROM platform.rate_limits WHERE expires_at < now() RETURNING 1 AS x',
    );
    return rows.length;
  }
}
