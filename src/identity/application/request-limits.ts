import { Injectable } from '@nestjs/common';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { RateLimiter, REQUESTS_PER_ADDRESS } from '#libs/kernel/ports/rate-limiter.js';

const MINUTE_SECONDS = 60;
const PER_SESSION = 1_200;
/** A folder is pushed with a request a file, and a version may hold 2,000. */
const FILES_OF_PUSHES = 3_000;

/**
 * Limits of `/api` (`identity.md` 8): a session has its own, everybody else that of the address, whose counter the door of
 * `/mcp` shares.
 */
@Injectable()
export class RequestLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly flags: Flags,
  ) {}

  /** Counts a request; `fileOfPush` brings the bytes of one announced file. @throws DomainError `rate_limited`. */
  async count({
    sessionId,
    ip,
    fileOfPush = false,
  }: {
    readonly sessionId: string | null;
    readonly ip: string | null;
    readonly fileOfPush?: boolean;
  }): Promise<void> {
    const window = { windowSeconds: MINUTE_SECONDS, buffered: true };
    const { allowed, retryAfterSeconds } = fileOfPush
      ? await this.limiter.hit('push_files', addressKey(ip), { ...window, max: FILES_OF_PUSHES })
      : sessionId === null
        ? await this.limiter.hit(REQUESTS_PER_ADDRESS, addressKey(ip), {
            ...window,
            max: this.flags.int('rate_limit.api_per_minute'),
          })
        : await this.limiter.hit('api_per_session', sessionId, { ...window, max: PER_SESSION });
    if (allowed) return;
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `Too many requests. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
      { retryAfterSeconds },
    );
  }
}
