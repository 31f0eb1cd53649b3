import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  type DataExport,
  DataExports,
  type ExportClaim,
  type FinishedExport,
} from '../application/ports/data-exports.js';

const FIELDS = `id, person_id AS "personId", state, requested_at AS "requestedAt", finished_at AS "finishedAt",
  expires_at AS "expiresAt", bytes, blob_key AS "blobKey", token_hash AS "tokenHash", token_sealed AS "tokenSealed"`;
const HELD = "now() + interval '3 minutes'";

@Injectable()
export class SqlDataExports extends DataExports {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(id: string, personId: string): Promise<boolean> {
    const row = await this.database.one(
      `INSERT INTO platform.exports (id, person_id, state) VALUES ($1, $2, 'pending')
       ON CONFLICT (person_id) WHERE state IN ('pending', 'running') DO NOTHING RETURNING 1`,
      [id, personId],
    );
    return row !== null;
  }

  override ofPerson(personId: string): Promise<DataExport[]> {
    return this.database.query(
      `SELECT ${FIELDS} FROM platform.exports WHERE person_id = $1 ORDER BY requested_at DESC, id DESC LIMIT 100`,
      [personId],
    );
  }

  override async archives(): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(
      `SELECT blob_key AS key FROM platform.exports WHERE state = 'ready' AND expires_at > now() ORDER BY id`,
    );
    return rows.map(({ key }) => key);
  }

  override find(id: string): Promise<DataExport | null> {
    return this.database.one(`SELECT ${FIELDS} FROM platform.exports WHERE id = $1`, [id]);
  }

  override async claim(id: string, holder: string): Promise<ExportClaim> {
    const ours = await this.database.one<{ personId: string }>(
      `WITH taken AS (
         UPDATE platform.exports SET state = 'running', holder = $2, held_until = ${HELD}
         WHERE id = $1 AND state IN ('pending', 'running') AND (held_until IS NULL OR held_until < now())
         RETURNING person_id)
       SELECT person_id AS "personId" FROM taken`,
      [id, holder],
    );
    if (ours) return { kind: 'yours', personId: ours.personId };
    const held = await this.database.one<{ until: Date | null }>(
      `SELECT held_until AS until FROM platform.exports WHERE id = $1 AND state = 'running'`,
      [id],
    );
    return held?.until ? { kind: 'held', until: held.until } : { kind: 'over' };
  }

  override keep(id: string, holder: string): Promise<boolean> {
    return this.asHolder(id, holder, `held_until = ${HELD}`);
  }

  override async release(id: string, holder: string): Promise<void> {
    await this.asHolder(id, holder, "state = 'pending', holder = NULL, held_until = NULL");
  }

  override finish(id: string, holder: string, result: FinishedExport): Promise<boolean> {
    const { bytes, blobKey, tokenHash, tokenSealed, expiresAt } = result;
    return this.asHolder(
      id,
      holder,
      `state = 'ready', holder = NULL, held_until = NULL, finished_at = now(), bytes = $3, blob_key = $4,
       token_hash = $5, token_sealed = $6, expires_at = $7`,
      [bytes, blobKey, tokenHash, tokenSealed, expiresAt],
    );
  }

  override fail(id: string, holder: string): Promise<boolean> {
    return this.asHolder(
      id,
      holder,
      "state = 'failed', holder = NULL, held_until = NULL, finished_at = now()",
    );
  }

  override remove(id: string, personId: string): Promise<DataExport | null> {
    return this.database.one(
      `WITH gone AS (DELETE FROM platform.exports WHERE id = $1 AND person_id = $2 RETURNING *)
       SELECT ${FIELDS} FROM gone`,
      [id, personId],
    );
  }

  override outlived(): Promise<DataExport[]> {
    return this.database.query(
      `SELECT ${FIELDS} FROM platform.exports
       WHERE (state = 'ready' AND expires_at <= now())
          OR (state = 'failed' AND finished_at < now() - interval '7 days')
       LIMIT 100`,
    );
  }

  override async waiting(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM platform.exports WHERE state IN ('pending', 'running') ORDER BY requested_at LIMIT 500`,
    );
    return rows.map(({ id }) => id);
  }

  private async asHolder(
    id: string,
    holder: string,
    change: string,
    more: readonly unknown[] = [],
  ): Promise<boolean> {
    const row = await this.database.one(
      `WITH changed AS (
         UPDATE platform.exports SET ${change} WHERE id = $1 AND holder = $2 AND state = 'running' RETURNING 1)
       SELECT 1 FROM changed`,
      [id, holder, ...more],
    );
    return row !== null;
  }
}
