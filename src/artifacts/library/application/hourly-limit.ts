import { DomainError } from '#libs/kernel/errors.js';
import type { Flags } from '#libs/kernel/ports/flags.js';
import type { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';

const HOUR_SECONDS = 3_600;

/**
 * Counts one use of something that a person may do a number of times an hour.
 * @param flag the flag that holds the number.
 * @param things what is limited, for the refusal: `git tokens`.
 * @throws DomainError `rate-limited`.
 */
export async function countHourly(
  limits: RateLimiter,
  flags: Flags,
  flag: string,
  personId: string,
  things: string,
): Promise<void> {
  const max = flags.int(flag);
  const { allowed, retryAfterSeconds } = await limits.hit(flag, personId, {
    max,
    windowSeconds: HOUR_SECONDS,
  });
  if (allowed) return;
  throw new DomainError(
    'rate-limited',
    'rate_limited',
    `Too many ${things}: the limit is ${max} an hour. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
