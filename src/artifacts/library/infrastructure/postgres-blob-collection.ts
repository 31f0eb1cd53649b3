import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { Database } from '#libs/persistence/database.js';
import { BlobCollection, type DamagedBlob } from '../application/ports/blob-collection.js';
import { blobKey } from './stored-artifact-blobs.js';

/** Everything that may refer to a blob. */
const UNUSED = ['file', 'preview_build_file', 'push_blob']
  .map((table) => `NOT EXISTS (SELECT 1 FROM artifacts.${table} r WHERE r.sha256 = b.sha256)`)
  .join(' AND ');

@Injectable()
export class PostgresBlobCollection extends BlobCollection {
  constructor(
    private readonly database: Database,
    private readonly store: BlobStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async collect(before: Date, limit: number): Promise<number> {
    const unused = await this.database.query<{ sha256: string }>(
      `SELECT b.sha256 FROM artifacts.blob b WHERE b.stored_at < $1 AND ${UNUSED} LIMIT $2`,
      [before, limit],
    );
    let collected = 0;
    for (const { sha256 } of unused) if (await this.collectOne(sha256, before)) collected += 1;
    return collected;
  }

  override async check(count: number): Promise<string[]> {
    const start = createHash('sha256').update(String(this.clock.now().getTime())).digest('hex');
    const rows = await this.database.query<{ sha256: string; bytes: number }>(
      `(SELECT sha256, bytes FROM artifacts.blob WHERE sha256 >= $1 ORDER BY sha256 LIMIT $2)
       UNION ALL (SELECT sha256, bytes FROM artifacts.blob WHERE sha256 < $1 ORDER BY sha256 LIMIT $2) LIMIT $2`,
      [start, count],
    );
    const damaged: string[] = [];
    for (const { sha256 } of rows) if (!(await this.whole(sha256))) damaged.push(sha256);
    const sound = rows.map(({ sha256 }) => sha256).filter((sha256) => !damaged.includes(sha256));
    await this.database.query('DELETE FROM artifacts.damaged_blob WHERE sha256 = ANY($1)', [sound]);
    await this.database.query(
      `INSERT INTO artifacts.damaged_blob (sha256, found_at) SELECT s, $2 FROM unnest($1::text[]) s
       ON CONFLICT DO NOTHING`,
      [damaged, this.clock.now()],
    );
    return damaged;
  }

  override async count(): Promise<number> {
    const row = await this.database.one<{ count: number }>('SELECT count(*) AS count FROM artifacts.blob');
    return row!.count;
  }

  override async missedBy(hashes: readonly string[]): Promise<DamagedBlob[]> {
    const rows = await this.database.query<{ sha256: string; ids: string[] | null }>(
      `SELECT s AS sha256, (SELECT array_agg(id) FROM (
         SELECT DISTINCT v.artifact_id::text AS id FROM artifacts.file f
         JOIN artifacts.version v ON v.id = f.version_id WHERE f.sha256 = s ORDER BY id LIMIT 10) named) AS ids
       FROM unnest($1::text[]) s ORDER BY s`,
      [hashes],
    );
    return rows.map(({ sha256, ids }) => ({ key: blobKey(sha256), artifactIds: ids ?? [] }));
  }

  override async missingBundles(): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(
      'SELECT blob_key AS key FROM artifacts.bundle ORDER BY blob_key',
    );
    const missing: string[] = [];
    for (const { key } of rows) if (!(await this.store.exists(key))) missing.push(key);
    return missing;
  }

  /** The lock comes first, then a second look: a version that was stored while it was waited for is seen. */
  private async collectOne(sha256: string, before: Date): Promise<boolean> {
    return this.database.run(async () => {
      const locked = await this.database.one(
        'SELECT 1 FROM artifacts.blob WHERE sha256 = $1 AND stored_at < $2 FOR UPDATE',
        [sha256, before],
      );
      if (!locked) return false;
      const unused = await this.database.one(
        `SELECT 1 FROM artifacts.blob b WHERE b.sha256 = $1 AND ${UNUSED}`,
        [sha256],
      );
      if (!unused) return false;
      await this.database.query('DELETE FROM artifacts.blob WHERE sha256 = $1', [sha256]);
      await this.database.query('DELETE FROM artifacts.project_blob WHERE sha256 = $1', [sha256]);
      await this.store.delete(blobKey(sha256));
      return true;
    });
  }

  private async whole(sha256: string): Promise<boolean> {
    const hash = createHash('sha256');
    try {
      for await (const chunk of (await this.store.open(blobKey(sha256))) as AsyncIterable<Buffer>)
        hash.update(chunk);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not-found') return false;
      throw error;
    }
    return hash.digest('hex') === sha256;
  }
}
