import { Injectable } from '@nestjs/common';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { type RateLimit, RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';

const WINDOW_SECONDS = 15 * 60;

export interface SignInSubject {
  /** In the form in which addresses are compared. */
  readonly email: string;
  readonly ip: string | null;
}

interface Counter {
  readonly name: string;
  readonly key: string;
  readonly limit: RateLimit;
}

/** Limits of wrong passwords (`identity.md` 8): 10 per e-mail and address, 50 per address, in 15 minutes. */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly secrets: SecretBox,
  ) {}

  /** @throws DomainError `rate_limited` when no further try passes. */
  async check(subject: SignInSubject): Promise<void> {
    for (const { name, key, limit } of this.counters(subject)) {
      const { allowed, retryAfterSeconds } = await this.limiter.peek(name, key, limit);
      if (!allowed) throw tooMany(retryAfterSeconds);
    }
  }

  /** Counts a wrong password. */
  async failed(subject: SignInSubject): Promise<void> {
    for (const { name, key, limit } of this.counters(subject)) {
      const { allowed, retryAfterSeconds } = await this.limiter.hit(name, key, limit);
      if (!allowed) throw tooMany(retryAfterSeconds);
    }
  }

  private counters({ email, ip }: SignInSubject): Counter[] {
    const address = addressKey(ip);
    return [
      {
        name: 'login.address',
        key: address,
        limit: { max: 50, windowSeconds: WINDOW_SECONDS },
      },
      {
        // The table of counters is no list of addresses that were tried.
        name: 'login.email',
        key: `${this.secrets.keyedHash('login-limit', email)} ${address}`,
        limit: { max: 10, windowSeconds: WINDOW_SECONDS },
      },
    ];
  }
}

function tooMany(seconds: number): DomainError {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes > 1 ? `${minutes} minutes` : '1 minute';
  return new DomainError('rate-limited', 'rate_limited', `Too many wrong passwords. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}
