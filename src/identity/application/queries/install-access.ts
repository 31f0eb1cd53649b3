import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Installation } from '../installation.js';

export interface InstallAccessInput {
  /** The token of the address, if any. */
  readonly token: string | null;
  /** The mark that an earlier right token left in the browser. */
  readonly mark: string | null;
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
  ) {}

  async execute({ token, mark }: InstallAccessInput): Promise<InstallAccessAnswer> {
    const installed = await this.installation.isDone();
    const { installToken, firstAdmin, profile } = this.configuration.values;
    // With both variables set the start of the server makes the admin, and nobody else does.
    if (firstAdmin) return { installed, door: 'hidden', mark: null };
    if (installToken === null) return { installed, door: profile === 'prod' ? 'hidden' : 'open', mark: null };
    const right = this.markOf(installToken);
    if (mark === right) return { installed, door: 'open', mark: null };
    // Hashes are compared, so the time tells nothing about the token.
    if (token !== null && this.markOf(token) === right) {
      return { installed, door: 'token-accepted', mark: right };
    }
    return { installed, door: 'hidden', mark: null };
  }

  private markOf(token: string): string {
    return this.secrets.keyedHash('install-token', token);
  }
}
