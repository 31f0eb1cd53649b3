import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';

/** What the library hands over for storing; its members are its own business. */
export type Payload = Record<string, unknown>;

export interface StoredArtefact {
  readonly payload: Payload;
  readonly grantId: string | null;
  /** By the clock of the database. */
  readonly expired: boolean;
  readonly consumed: boolean;
  readonly answered: boolean;
}

interface Row {
  readonly payload: Payload;
  readonly grant_id: string | null;
  readonly expired: boolean;
  readonly consumed: boolean;
  readonly answered: boolean;
}

const COLUMNS = `payload, grant_id, expires_at <= clock_timestamp() AS expired, consumed_at IS NOT NULL AS consumed,
  answered_at IS NOT NULL AS answered`;

/** Members that would be a clear token, code or cookie; the store keeps their hashes as keys alone. */
const SECRET_MEMBERS = ['jti', 'userCode', 'returnTo', 'deviceCode', 'consumed'];

/** Codes, tokens and requests of the authorization server, without a clear value at rest. */
@Injectable()
export class ArtefactStore {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  async save(model: string, id: string, payload: Payload, expiresInSeconds: number): Promise<void> {
    const kept = Object.fromEntries(
      Object.entries(payload).filter(([name]) => !SECRET_MEMBERS.includes(name)),
    );
    const { grantId, userCode } = payload;
    await this.database.query(
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, user_code_hash, payload, expires_at)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))
       ON CONFLICT (model, id_hash) DO UPDATE SET payload = EXCLUDED.payload, expires_at = EXCLUDED.expires_at,
         grant_id = COALESCE(EXCLUDED.grant_id, oauth_artefacts.grant_id)`,
      [
        model,
        sha256(id),
        typeof grantId === 'string' ? grantId : null,
        typeof userCode === 'string' ? this.userCodeHash(userCode) : null,
        JSON.stringify(kept),
        expiresInSeconds,
      ],
    );
  }

  async find(model: string, id: string): Promise<StoredArtefact | null> {
    return artefactOf(
      await this.database.one<Row>(
        `SELECT ${COLUMNS} FROM identity.oauth_artefacts WHERE model = $1 AND id_hash = $2`,
        [model, sha256(id)],
      ),
    );
  }

  async findByUserCode(userCode: string): Promise<StoredArtefact | null> {
    return artefactOf(
      await this.database.one<Row>(
        `SELECT ${COLUMNS} FROM identity.oauth_artefacts WHERE user_code_hash = $1`,
        [this.userCodeHash(userCode)],
      ),
    );
  }

  /** Uses a code up. False when somebody was faster. */
  async consume(model: string, id: string): Promise<boolean> {
    const row = await this.database.one(
      `UPDATE identity.oauth_artefacts SET consumed_at = clock_timestamp()
       WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL RETURNING 1`,
      [model, sha256(id)],
    );
    return row !== null;
  }

  /**
   * Spends a refresh token. A spent one goes through up to `uses` times more while it was spent at most `graceSeconds`
   * ago. One statement, so parallel uses count right.
   * @returns 0 for the first use, n for the nth use inside the window, null for any other.
   */
  async spend(id: string, graceSeconds: number, uses: number): Promise<number | null> {
    const row = await this.database.one<{ grace_uses: number }>(
      `UPDATE identity.oauth_artefacts SET
         consumed_at = COALESCE(consumed_at, clock_timestamp()),
         grace_uses = CASE WHEN consumed_at IS NULL THEN 0 ELSE grace_uses + 1 END
       WHERE model = 'RefreshToken' AND id_hash = $1
         AND (consumed_at IS NULL
              OR (consumed_at > clock_timestamp() - make_interval(secs => $2) AND grace_uses < $3))
       RETURNING grace_uses`,
      [sha256(id), graceSeconds, uses],
    );
    return row?.grace_uses ?? null;
  }

  /** Counts a poll of a device. False when it came before the interval was over, which then grows by 5 seconds. */
  async poll(id: string): Promise<boolean> {
    const row = await this.database.one<{ early: boolean }>(
      `UPDATE identity.oauth_artefacts a SET
         last_polled_at = clock_timestamp(),
         poll_interval_seconds = a.poll_interval_seconds + CASE WHEN was.early THEN 5 ELSE 0 END
       FROM (SELECT id_hash, last_polled_at IS NOT NULL AND last_polled_at > clock_timestamp()
                      - make_interval(secs => poll_interval_seconds - 0.5) AS early
             FROM identity.oauth_artefacts WHERE model = 'DeviceCode' AND id_hash = $1 FOR UPDATE) was
       WHERE a.model = 'DeviceCode' AND a.id_hash = was.id_hash RETURNING was.early`,
      [sha256(id)],
    );
    return row?.early !== true;
  }

  /** Marks an open request of an app as answered; null when there is none, also when somebody was faster. */
  async answer(key: { uid: string } | { userCode: string }): Promise<Payload | null> {
    const { where, value } = this.keyOf(key);
    const row = await this.database.one<{ payload: Payload }>(
      `UPDATE identity.oauth_artefacts SET answered_at = clock_timestamp()
       WHERE ${where} AND answered_at IS NULL AND consumed_at IS NULL AND expires_at > clock_timestamp()
       RETURNING payload`,
      [value],
    );
    return row?.payload ?? null;
  }

  /** Adds members to what is stored of a request, such as the answer of the person. */
  async amend(
    key: { uid: string } | { userCode: string },
    members: Payload,
    grantId: string | null = null,
  ): Promise<void> {
    const { where, value } = this.keyOf(key);
    await this.database.query(
      `UPDATE identity.oauth_artefacts SET payload = payload || $2::jsonb, grant_id = COALESCE($3, grant_id)
       WHERE ${where}`,
      [value, JSON.stringify(members), grantId],
    );
  }

  async delete(model: string, id: string): Promise<void> {
    await this.database.query('DELETE FROM identity.oauth_artefacts WHERE model = $1 AND id_hash = $2', [
      model,
      sha256(id),
    ]);
  }

  private keyOf(key: { uid: string } | { userCode: string }): { where: string; value: string } {
    return 'uid' in key
      ? { where: "model = 'Interaction' AND id_hash = $1", value: sha256(key.uid) }
      : { where: 'user_code_hash = $1', value: this.userCodeHash(key.userCode) };
  }

  private userCodeHash(userCode: string): string {
    return this.secrets.keyedHash('oauth-user-code', userCode);
  }
}

function sha256(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

function artefactOf(row: Row | null): StoredArtefact | null {
  if (!row) return null;
  const { payload, grant_id: grantId, expired, consumed, answered } = row;
  return { payload, grantId, expired, consumed, answered };
}
