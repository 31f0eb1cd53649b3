import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { ArtifactRepository, type NewVersionRow } from '../application/ports/artifact-repository.js';
import type { Artifact } from '../domain/artifact.js';
import { damagedFile } from '../domain/refusals.js';
import { ARTIFACT_COLUMNS, type ArtifactRow, artifactOf } from './rows.js';

@Injectable()
export class PostgresArtifactRepository extends ArtifactRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(artifactId: string): Promise<Artifact | null> {
    const row = await this.database.one<ArtifactRow>(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts.artifact a WHERE a.id = $1`,
      [artifactId],
    );
    return row && artifactOf(row);
  }

  override async lock(artifactId: string): Promise<Artifact | null> {
    this.database.requireTransaction();
    const row = await this.database.one<ArtifactRow>(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts.artifact a WHERE a.id = $1 FOR NO KEY UPDATE`,
      [artifactId],
    );
    return row && artifactOf(row);
  }

  override async add({ state: a }: Artifact): Promise<void> {
    await this.database.query(
      `INSERT INTO artifacts.artifact (id, project_id, workspace_id, name, description, artifact_type, framework, origin,
         status, error, privacy, entry_wish, preview_epoch, edit, created_at, updated_at, created_by_kind, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
      [
        a.id,
        a.projectId,
        a.workspaceId,
        a.name,
        a.description,
        a.artifactType,
        a.framework,
        a.origin,
        a.status,
        a.error,
        a.privacy,
        a.entryWish,
        a.previewEpoch,
        a.edit,
        a.createdAt,
        a.updatedAt,
        a.maker.kind,
        a.maker.personId,
      ],
    );
  }

  override async save({ state: a }: Artifact): Promise<void> {
    await this.database.query(
      `UPDATE artifacts.artifact SET workspace_id = $2, name = $3, description = $4, status = $5, error = $6, privacy = $7,
         latest_version = $8, head_revision = $9, latest_entry_path = $10, latest_file_count = $11,
         latest_total_bytes = $12, preview_epoch = $13, archived_at = $14, deleted_at = $15, updated_at = $16,
         edit = edit + 1
       WHERE id = $1`,
      [
        a.id,
        a.workspaceId,
        a.name,
        a.description,
        a.status,
        a.error,
        a.privacy,
        a.latestVersion,
        a.headRevision,
        a.latestEntryPath,
        a.latestFileCount,
        a.latestTotalBytes,
        a.previewEpoch,
        a.archivedAt,
        a.deletedAt,
        a.updatedAt,
      ],
    );
  }

  override async addVersion(v: NewVersionRow): Promise<void> {
    await this.requireBlobs(v.files.map(({ sha256 }) => sha256));
    await this.database.query(
      `INSERT INTO artifacts.version (id, artifact_id, number, revision, notes, source, entry_path, file_count, total_bytes,
         manifest_digest, skipped_files, skipped_count, created_at, created_by_kind, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        v.id,
        v.artifactId,
        v.number,
        v.revision,
        v.notes,
        v.source,
        v.entryPath,
        v.files.length,
        v.totalBytes,
        v.digest,
        JSON.stringify(v.skippedFiles),
        v.skippedCount,
        v.at,
        v.maker.kind,
        v.maker.personId,
      ],
    );
    await this.database.query(
      `INSERT INTO artifacts.file (version_id, path, sha256, bytes, content_type, kind)
       SELECT $1, f.* FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[]) f`,
      [
        v.id,
        v.files.map(({ path }) => path),
        v.files.map(({ sha256 }) => sha256),
        v.files.map(({ bytes }) => bytes),
        v.files.map(({ contentType }) => contentType),
        v.files.map(({ kind }) => kind),
      ],
    );
  }

  /** Locked until the commit, so that the collection cannot take one away between here and there. */
  private async requireBlobs(hashes: readonly string[]): Promise<void> {
    const wanted = [...new Set(hashes)];
    if (wanted.length === 0) return;
    const found = await this.database.query(
      'SELECT sha256 FROM artifacts.blob WHERE sha256 = ANY($1) ORDER BY sha256 FOR KEY SHARE',
      [wanted],
    );
    if (found.length < wanted.length) throw damagedFile();
  }
}
