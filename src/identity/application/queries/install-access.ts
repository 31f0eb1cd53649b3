import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { addressKey } from '#libs/kernel/address-key.js';
import { type RateLimit, RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Installation } from '../installation.js';

/** A token that an operator made up may be short; guessing it must take long all the same. */
const TOKEN_TRIES: RateLimit = { max: 10, windowSeconds: 15 * 60 };

export interface InstallAccessInput {
  /** The token of the address, if any. */
  readonly token: string | null;
  /** The mark that an earlier right token left in the browser. */
  readonly mark: string | null;
  readonly ip: string | null;
}

export interface InstallAccessAnswer {
  readonly installed: boolean;
  /** What `/install` is for this browser, were nothing installed. */
  readonly door: 'hidden' | 'open' | 'token-accepted';
  /** To be kept in the browser after a right token; it does not tell the token. */
  readonly mark: string | null;
}

/** Who may open the install page (`identity.md` 4.1). */
@Injectable()
export class InstallAccess {
  constructor(
    private readonly configuration: Configuration,
    private readonly installation: Installation,
    private readonly secrets: SecretBox,
    private readonly limiter: RateLimiter,
  ) {}

  async execute({ token, mark, ip }: InstallAccessInput): Promise<InstallAccessAnswer> {
    const installed = await this.installation.isDone();
    const { installToken, firstAdmin, profile } = this.configuration.values;
    // With both variables set the start of the server makes the admin, and nobody else does.
    if (firstAdmin) return { installed, door: 'hidden', mark: null };
    if (installToken === null) return { installed, door: profile === 'prod' ? 'hidden' : 'open', mark: null };
    const right = this.markOf(installToken);
    if (mark === right) return { installed, door: 'open', mark: null };
    const hidden = { installed, door: 'hidden', mark: null } as const;
    if (token === null) return hidden;
    const { allowed } = await this.limiter.hit('install.token', addressKey(ip), TOKEN_TRIES);
    // Hashes are compared, so the time tells nothing about the token.
    return allowed && this.markOf(token) === right
      ? { installed, door: 'token-accepted', mark: right }
      : hidden;
  }

  private markOf(token: string): string {
    return this.secrets.keyedHash('install-token', token);
  }
}
