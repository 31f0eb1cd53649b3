import { Injectable } from '@nestjs/common';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';

const HOUR_SECONDS = 3_600;

/** Limits of what makes accounts and mails (`identity.md` 8). The table of counters holds no addresses. */
@Injectable()
export class AccountLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly secrets: SecretBox,
  ) {}

  /** Counts a registration: 5 an hour per address. @throws DomainError `rate_limited`. */
  async registration(ip: string | null): Promise<void> {
    await this.loud('register.address', addressKey(ip), 5);
  }

  /** Counts a wish for a new password: 5 an hour per address. @throws DomainError `rate_limited`. */
  async resetByAddress(ip: string | null): Promise<void> {
    await this.loud('reset.address', addressKey(ip), 5);
  }

  /** Counts a wish for a new password of one account: 3 an hour. Silent: an answer would tell that there is one. */
  async resetOf(email: string): Promise<boolean> {
    return this.passes('reset.email', this.secrets.keyedHash('reset-limit', email), 3);
  }

  /** Counts a mail that proves an address: 3 an hour per person. */
  async proof(personId: string): Promise<boolean> {
    return this.passes('verify.person', personId, 3);
  }

  /** The same for whoever is signed in, who may be told. @throws DomainError `rate_limited`. */
  async proofAskedFor(personId: string): Promise<void> {
    await this.loud('verify.person', personId, 3);
  }

  private async passes(name: string, key: string, max: number): Promise<boolean> {
    return (await this.limiter.hit(name, key, { max, windowSeconds: HOUR_SECONDS })).allowed;
  }

  private async loud(name: string, key: string, max: number): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(name, key, {
      max,
      windowSeconds: HOUR_SECONDS,
    });
    if (allowed) return;
    const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `Too many tries. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
      { retryAfterSeconds },
    );
  }
}
