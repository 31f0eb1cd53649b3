import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';
import { type Push, Pushes, type PushResult, type WantedBlob } from '../application/ports/pushes.js';

@Injectable()
export class PostgresPushes extends Pushes {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(push: Omit<Push, 'result'>, at: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.push (id, project_id, person_id, request, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [push.id, push.projectId, push.personId, JSON.stringify(push.request), push.expiresAt, at],
    );
  }

  override async find(pushId: string): Promise<Push | null> {
    if (!isUuid(pushId)) return null;
    return this.database.one<Push>(
      `SELECT id, project_id AS "projectId", person_id AS "personId", request, result, expires_at AS "expiresAt"
       FROM artifacts.push WHERE id = $1`,
      [pushId],
    );
  }

  override async noteBlobs(pushId: string, hashes: readonly string[]): Promise<string[]> {
    // Not waited for on the disk: what a power cut takes is sent again, and the commit of the push is waited for.
    const rows = await this.database.query<{ sha256: string }>(
      `INSERT INTO artifacts.push_blob (push_id, sha256)
       SELECT $1, h.sha256 FROM unnest($2::text[]) AS h (sha256),
              (SELECT set_config('synchronous_commit', 'off', true)) AS hurry
       ORDER BY h.sha256 ON CONFLICT DO NOTHING RETURNING sha256`,
      [pushId, hashes],
    );
    return rows.map(({ sha256 }) => sha256);
  }

  override async wanted(pushId: string, sha256: string): Promise<WantedBlob | null> {
    if (!isUuid(pushId)) return null;
    return this.database.one<WantedBlob>(
      `SELECT project_id AS "projectId", person_id AS "personId", expires_at AS "expiresAt",
              result IS NOT NULL AS committed,
              jsonb_path_query_first(request, '$.files[*] ? (@.sha256 == $hash)', jsonb_build_object('hash', $2::text))
                AS file
       FROM artifacts.push WHERE id = $1`,
      [pushId, sha256],
    );
  }

  override async blobsOf(pushId: string): Promise<Set<string>> {
    const rows = await this.database.query<{ sha256: string }>(
      'SELECT sha256 FROM artifacts.push_blob WHERE push_id = $1',
      [pushId],
    );
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  override async finish(pushId: string, result: PushResult): Promise<boolean> {
    const row = await this.database.one(
      'UPDATE artifacts.push SET result = $2 WHERE id = $1 AND result IS NULL RETURNING id',
      [pushId, JSON.stringify(result)],
    );
    return row !== null;
  }

  override async remove(
    whose: { readonly projectId: string } | { readonly personId: string },
  ): Promise<void> {
    const [column, id] =
      'projectId' in whose ? ['project_id', whose.projectId] : ['person_id', whose.personId];
    await this.database.query(`DELETE FROM artifacts.push WHERE ${column} = $1`, [id]);
  }

  override async purge(before: Date): Promise<number> {
    const rows = await this.database.query('DELETE FROM artifacts.push WHERE expires_at < $1 RETURNING id', [
      before,
    ]);
    return rows.length;
  }
}
