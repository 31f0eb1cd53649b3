import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Database } from '#libs/persistence/database.js';
import type { PreviewFile } from '../application/ports/preview-builder.js';
import { type PreviewBuild, PreviewBuilds } from '../application/ports/preview-builds.js';

interface BuildRow {
  readonly version_id: string;
  readonly builder: string;
  readonly state: PreviewBuild['state'];
  readonly root: string;
  readonly entry_path: string | null;
  readonly log: string;
}

interface FileRow {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: string;
  readonly content_type: string;
  readonly kind: PreviewFile['kind'];
}

/** Whoever builds for longer than this is gone: a build takes 60 s at most. */
const SILENT_SECONDS = 120;
const LOG_BYTES = 32_768;

@Injectable()
export class PostgresPreviewBuilds extends PreviewBuilds {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async claim(versionId: string, builder: string): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO artifacts.preview_build AS build (version_id, builder, state, started_at)
       VALUES ($1, $2, 'building', $3)
       ON CONFLICT (version_id, builder) DO UPDATE SET state = 'building', started_at = excluded.started_at
         WHERE (build.state = 'building' AND build.started_at < excluded.started_at - make_interval(secs => $4))
            OR (build.state = 'failed' AND build.retry_at <= excluded.started_at)
       RETURNING 1`,
      [versionId, builder, this.clock.now(), SILENT_SECONDS],
    );
    return rows.length > 0;
  }

  override async find(versionId: string, builder: string): Promise<PreviewBuild | null> {
    const row = await this.database.one<BuildRow>(
      `SELECT version_id, builder, state, root, entry_path, log
       FROM artifacts.preview_build
       WHERE version_id = $1 AND builder = $2 AND (state <> 'failed' OR retry_at IS NULL OR retry_at > $3)`,
      [versionId, builder, this.clock.now()],
    );
    return (
      row && {
        versionId: row.version_id,
        builder: row.builder,
        state: row.state,
        root: row.root,
        entryPath: row.entry_path,
        log: row.log,
      }
    );
  }

  override async finish(
    build: PreviewBuild,
    files: readonly PreviewFile[],
    retryAt: Date | null,
  ): Promise<void> {
    await this.database.run(async () => {
      const { versionId, builder, state, root, entryPath } = build;
      const saved = await this.database.query(
        `UPDATE artifacts.preview_build SET state = $3, root = $4, entry_path = $5, log = $6, finished_at = $7, retry_at = $8
         WHERE version_id = $1 AND builder = $2 AND state = 'building' RETURNING 1`,
        [versionId, builder, state, root, entryPath, cut(build.log), this.clock.now(), retryAt],
      );
      if (saved.length === 0 || files.length === 0) return;
      await this.database.query(
        `INSERT INTO artifacts.preview_build_file (version_id, builder, path, sha256, bytes, content_type, kind)
         SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])`,
        [
          versionId,
          builder,
          files.map((file) => file.path),
          files.map((file) => file.sha256),
          files.map((file) => file.bytes),
          files.map((file) => file.contentType),
          files.map((file) => file.kind),
        ],
      );
    });
  }

  override async release(versionId: string, builder: string): Promise<void> {
    await this.database.query(
      `DELETE FROM artifacts.preview_build WHERE version_id = $1 AND builder = $2 AND state = 'building'`,
      [versionId, builder],
    );
  }

  override async file(versionId: string, builder: string, path: string): Promise<PreviewFile | null> {
    const row = await this.database.one<FileRow>(
      `SELECT path, sha256, bytes, content_type, kind FROM artifacts.preview_build_file
       WHERE version_id = $1 AND builder = $2 AND path = $3`,
      [versionId, builder, path],
    );
    return (
      row && {
        path: row.path,
        sha256: row.sha256,
        bytes: Number(row.bytes),
        contentType: row.content_type,
        kind: row.kind,
      }
    );
  }
}

function cut(log: string): string {
  const bytes = Buffer.from(log.replaceAll('\0', ''));
  return bytes.length <= LOG_BYTES ? bytes.toString() : `${bytes.toString('utf8', 0, LOG_BYTES - 16)}…`;
}
