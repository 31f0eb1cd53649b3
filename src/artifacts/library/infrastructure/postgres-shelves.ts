import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import { Shelves } from '../application/ports/shelves.js';
import { overLimit } from '../domain/refusals.js';

/** The row of the shelf is the lock of the quotas: two writers count one after the other. */
@Injectable()
export class PostgresShelves extends Shelves {
  constructor(
    private readonly database: Database,
    private readonly flags: Flags,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async addArtifact(projectId: string): Promise<void> {
    const max = this.flags.int('artifacts.project_max_artifacts');
    const row = await this.database.one<{ artifacts: number }>(
      `INSERT INTO artifacts.shelf (project_id, artifacts, created_at) VALUES ($1, 1, $2)
       ON CONFLICT (project_id) DO UPDATE SET artifacts = shelf.artifacts + 1 RETURNING artifacts`,
      [projectId, this.clock.now()],
    );
    if (row!.artifacts > max) {
      throw overLimit(
        `The project has ${row!.artifacts - 1} artifacts; the limit is ${max}. Delete some first.`,
      );
    }
  }

  override async removeArtifacts(projectId: string, count: number): Promise<void> {
    await this.database.query(
      'UPDATE artifacts.shelf SET artifacts = GREATEST(0, artifacts - $2) WHERE project_id = $1',
      [projectId, count],
    );
  }

  override async addBlobs(
    projectId: string,
    blobs: readonly { readonly sha256: string; readonly bytes: number }[],
  ): Promise<void> {
    await this.lock(projectId);
    const added = await this.database.query<{ bytes: number }>(
      `INSERT INTO artifacts.project_blob (project_id, sha256, bytes)
       SELECT $1, b.sha256, b.bytes FROM unnest($2::text[], $3::bigint[]) b(sha256, bytes)
       ORDER BY b.sha256 ON CONFLICT DO NOTHING RETURNING bytes`,
      [projectId, blobs.map(({ sha256 }) => sha256), blobs.map(({ bytes }) => bytes)],
    );
    const more = added.reduce((sum, { bytes }) => sum + bytes, 0);
    if (more === 0) return;
    const row = await this.database.one<{ bytes: number }>(
      'UPDATE artifacts.shelf SET bytes = bytes + $2 WHERE project_id = $1 RETURNING bytes',
      [projectId, more],
    );
    const max = this.flags.int('artifacts.project_max_bytes');
    if (row!.bytes > max) {
      throw overLimit(`The artifacts of the project would hold ${row!.bytes} bytes; the limit is ${max}.`);
    }
  }

  override async held(projectId: string, hashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ sha256: string }>(
      'SELECT sha256 FROM artifacts.project_blob WHERE project_id = $1 AND sha256 = ANY($2)',
      [projectId, hashes],
    );
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  override async recount(projectId: string): Promise<void> {
    await this.lock(projectId);
    await this.database.query(
      `DELETE FROM artifacts.project_blob b WHERE b.project_id = $1 AND NOT EXISTS (
         SELECT 1 FROM artifacts.file f
         JOIN artifacts.version v ON v.id = f.version_id
         JOIN artifacts.artifact a ON a.id = v.artifact_id
         WHERE f.sha256 = b.sha256 AND a.project_id = $1)`,
      [projectId],
    );
    await this.database.query(
      `UPDATE artifacts.shelf SET
         bytes = (SELECT coalesce(sum(bytes), 0) FROM artifacts.project_blob WHERE project_id = $1),
         artifacts = (SELECT count(*) FROM artifacts.artifact WHERE project_id = $1)
       WHERE project_id = $1`,
      [projectId],
    );
  }

  private async lock(projectId: string): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.shelf (project_id, created_at) VALUES ($1, $2)
       ON CONFLICT (project_id) DO UPDATE SET artifacts = shelf.artifacts`,
      [projectId, this.clock.now()],
    );
  }
}
