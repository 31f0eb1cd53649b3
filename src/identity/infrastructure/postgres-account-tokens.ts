import { Injectable } from '@nestjs/common';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { Database } from '#libs/persistence/database.js';
import { AccountTokens, type FoundToken } from '../application/ports/account-tokens.js';
import type { AccountToken, TokenPurpose } from '../domain/account-token.js';

const FOUND = 'id, person_id AS "personId", purpose, email';

/** Rows of `identity.account_tokens`. */
@Injectable()
export class PostgresAccountTokens extends AccountTokens {
  constructor(private readonly database: Database) {
    super();
  }

  override async issue(token: AccountToken): Promise<Date> {
    const { id, personId, purpose, hash, email, createdBy, hours } = token;
    return this.database.run(async () => {
      await this.database.query(
        `UPDATE identity.account_tokens SET used_at = now()
          WHERE purpose = $1 AND used_at IS NULL
            AND (person_id = $2 OR ($2::uuid IS NULL AND purpose = 'invite' AND lower(email) = $3))`,
        [purpose, personId, email === null ? null : comparableEmail(email)],
      );
      const row = await this.database.one<{ expires_at: Date }>(
        `INSERT INTO identity.account_tokens (id, person_id, purpose, token_hash, email, created_by, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7)) RETURNING expires_at`,
        [id, personId, purpose, hash, email, createdBy, hours],
      );
      return row!.expires_at;
    });
  }

  override find(hash: string, purposes: readonly TokenPurpose[]): Promise<FoundToken | null> {
    return this.database.one<FoundToken>(
      `SELECT ${FOUND} FROM identity.account_tokens
        WHERE token_hash = $1 AND purpose = ANY($2) AND used_at IS NULL AND expires_at > now()`,
      [hash, purposes],
    );
  }

  override take(hash: string, purposes: readonly TokenPurpose[]): Promise<FoundToken | null> {
    return this.database.one<FoundToken>(
      `UPDATE identity.account_tokens SET used_at = now()
        WHERE token_hash = $1 AND purpose = ANY($2) AND used_at IS NULL AND expires_at > now()
        RETURNING ${FOUND}`,
      [hash, purposes],
    );
  }

  override async burn(personId: string, purposes: readonly TokenPurpose[]): Promise<void> {
    await this.database.query(
      `UPDATE identity.account_tokens SET used_at = now()
        WHERE person_id = $1 AND purpose = ANY($2) AND used_at IS NULL`,
      [personId, purposes],
    );
  }

  override async purge(limit: number): Promise<number> {
    const gone = await this.database.query(
      `DELETE FROM identity.account_tokens WHERE id IN (
         SELECT id FROM identity.account_tokens WHERE expires_at < now() - interval '1 day'
          ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`,
      [limit],
    );
    return gone.length;
  }
}
