import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RateLimiter, type RateLimitResult } from '#libs/kernel/ports/rate-limiter.js';
import type { RequestReference } from '../ports/authorization-requests.js';
import { type DescribedRequest, DescribeRequest } from './describe-request.js';

const LIMIT = 'identity.device_codes';
/** Eight letters stand against guessing only together with this limit. */
const CODES_TRIED = { max: 20, windowSeconds: 900 };

/** The device that a typed code belongs to. Each account may try 20 codes in 15 minutes. */
@Injectable()
export class LookUpDeviceCode {
  constructor(
    private readonly describe: DescribeRequest,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws DomainError `rate-limited`, or `code_refused` for a code that is unknown, expired or used. */
  async execute(actor: PersonActor, { userCode }: { readonly userCode: string }): Promise<DescribedRequest> {
    passOrThrow(await this.limiter.hit(LIMIT, actor.personId, CODES_TRIED));
    return this.describe.execute(actor, { reference: { kind: 'device', userCode } });
  }

  /** Runs an answer to a code under the same limit: only a wrong code counts, since the page has counted it once. */
  async answering<T>(
    actor: PersonActor,
    answer: (reference: RequestReference) => Promise<T>,
    userCode: string,
  ): Promise<T> {
    passOrThrow(await this.limiter.peek(LIMIT, actor.personId, CODES_TRIED));
    try {
      return await answer({ kind: 'device', userCode });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'code_refused') {
        passOrThrow(await this.limiter.hit(LIMIT, actor.personId, CODES_TRIED));
      }
      throw error;
    }
  }
}

function passOrThrow(result: RateLimitResult): void {
  if (result.allowed) return;
  const minutes = Math.ceil(result.retryAfterSeconds / 60);
  throw new DomainError(
    'rate-limited',
    'rate_limited',
    `Too many codes were tried. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    { retryAfterSeconds: result.retryAfterSeconds },
  );
}
