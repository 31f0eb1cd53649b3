import { generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';

const NAME = 'signing';

/** The key that the library asks for although nothing is signed: made once, the same in every process. */
@Injectable()
export class SigningKey {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  /** Private EC P-256 key as JWK. */
  async jwk(): Promise<Record<string, unknown>> {
    const stored = (await this.read()) ?? (await this.make());
    return { ...(JSON.parse(this.secrets.open(stored)) as object), use: 'sig', alg: 'ES256' };
  }

  private async read(): Promise<string | null> {
    const row = await this.database.one<{ sealed_jwk: string }>(
      'SELECT sealed_jwk FROM identity.oauth_keys WHERE name = $1',
      [NAME],
    );
    return row?.sealed_jwk ?? null;
  }

  private async make(): Promise<string> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sealed = this.secrets.seal(JSON.stringify(privateKey.export({ format: 'jwk' })));
    await this.database.query(
      'INSERT INTO identity.oauth_keys (name, sealed_jwk) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      [NAME, sealed],
    );
    // Another process may have been faster; its key is the one.
    return (await this.read())!;
  }
}
