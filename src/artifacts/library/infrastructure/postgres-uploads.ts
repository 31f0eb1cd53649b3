import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/kernel/ids.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';
import {
  type NewUpload,
  type ReceivedBytes,
  type Upload,
  Uploads,
  type UploadsOf,
} from '../application/ports/uploads.js';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const PURPOSE = 'artifact-upload';
const OPEN = `state IN ('reserved', 'uploaded')`;
const COLUMNS = `id, project_id AS "projectId", person_id AS "personId", connection_id AS "connectionId", purpose, state, bytes,
  blob_key AS "blobKey", expires_at AS "expiresAt", consumed_by AS "consumedBy"`;

@Injectable()
export class PostgresUploads extends Uploads {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  override async reserve(upload: NewUpload, at: Date): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    await this.database.query(
      `INSERT INTO artifacts.upload (id, project_id, person_id, connection_id, purpose, secret_hash, state, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'reserved', $7, $8)`,
      [
        upload.id,
        upload.projectId,
        upload.personId,
        upload.connectionId,
        upload.purpose,
        this.secrets.keyedHash(PURPOSE, secret),
        upload.expiresAt,
        at,
      ],
    );
    return secret;
  }

  override async find(uploadId: string): Promise<Upload | null> {
    if (!isUuid(uploadId)) return null;
    return this.database.one<Upload>(`SELECT ${COLUMNS} FROM artifacts.upload WHERE id = $1`, [uploadId]);
  }

  override async bySecret(uploadId: string, secret: string): Promise<Upload | null> {
    if (!isUuid(uploadId) || !SECRET.test(secret)) return null;
    return this.database.one<Upload>(
      `SELECT ${COLUMNS} FROM artifacts.upload WHERE id = $1 AND secret_hash = $2`,
      [uploadId, this.secrets.keyedHash(PURPOSE, secret)],
    );
  }

  override async receive(
    uploadId: string,
    { bytes, blobKey }: ReceivedBytes,
    expiresAt: Date,
    at: Date,
  ): Promise<string | null | false> {
    const row = await this.database.one<{ old: string | null }>(
      `UPDATE artifacts.upload u SET state = 'uploaded', bytes = $2, blob_key = $3, expires_at = $4
       FROM (SELECT id, blob_key FROM artifacts.upload WHERE id = $1 AND ${OPEN} AND expires_at > $5 FOR UPDATE) before
       WHERE u.id = before.id RETURNING before.blob_key AS old`,
      [uploadId, bytes, blobKey, expiresAt, at],
    );
    return row ? row.old : false;
  }

  override async consume(uploadId: string, blobKey: string, artifactId: string, at: Date): Promise<boolean> {
    this.database.requireTransaction();
    const row = await this.database.one(
      `UPDATE artifacts.upload SET state = 'consumed', consumed_by = $3, blob_key = NULL
       WHERE id = $1 AND blob_key = $2 AND state = 'uploaded' AND expires_at > $4 RETURNING id`,
      [uploadId, blobKey, artifactId, at],
    );
    return row !== null;
  }

  override async expire(which: { readonly at: Date } | UploadsOf): Promise<string[]> {
    const [condition, values] =
      'at' in which
        ? ['expires_at <= $1', [which.at]]
        : [
            `($1::uuid IS NULL OR person_id = $1) AND ($2::uuid IS NULL OR project_id = $2)
             AND ($3::uuid IS NULL OR connection_id = $3)`,
            [which.personId ?? null, which.projectId ?? null, which.connectionId ?? null],
          ];
    if (values.every((value) => value === null)) throw new Error('Say whose uploads end.');
    const rows = await this.database.query<{ old: string | null }>(
      `UPDATE artifacts.upload u SET state = 'expired', blob_key = NULL
       FROM (SELECT id, blob_key FROM artifacts.upload WHERE ${OPEN} AND ${condition} FOR UPDATE) before
       WHERE u.id = before.id RETURNING before.blob_key AS old`,
      values,
    );
    return rows.flatMap(({ old }) => (old === null ? [] : [old]));
  }

  override async purge(before: Date): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM artifacts.upload WHERE NOT (${OPEN}) AND expires_at < $1 RETURNING id`,
      [before],
    );
    return rows.length;
  }
}
