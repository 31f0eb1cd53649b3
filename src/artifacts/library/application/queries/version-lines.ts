import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { DELETED_PERSON, PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { Maker, SkippedFile, VersionSource } from '../../domain/artifact-types.js';

/** A version without its files. */
export interface VersionLine {
  readonly version: number;
  readonly revision: string | null;
  readonly notes: string;
  readonly source: VersionSource;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly entryPath: string | null;
  readonly skippedCount: number;
  readonly createdAt: Date;
  /** Name of the person, or of the one whom the agent works for. */
  readonly createdBy: string;
  readonly createdByKind: Maker['kind'];
}

type StoredLine = Omit<VersionLine, 'createdBy'> & {
  readonly versionId: string;
  readonly makerId: string | null;
};

const COLUMNS = `id AS "versionId", number AS version, revision, notes, source, file_count AS "fileCount",
  total_bytes AS "totalBytes", entry_path AS "entryPath", skipped_count AS "skippedCount", created_at AS "createdAt",
  created_by_kind AS "createdByKind", created_by AS "makerId"`;

/** Reads versions with the names of who made them. */
@Injectable()
export class VersionLines {
  constructor(
    private readonly database: Database,
    private readonly people: PersonDirectory,
  ) {}

  /** All of the artifact, newest first. */
  async of(artifactId: string): Promise<VersionLine[]> {
    const rows = await this.database.query<StoredLine>(
      `SELECT ${COLUMNS} FROM artifacts.version WHERE artifact_id = $1 ORDER BY number DESC`,
      [artifactId],
    );
    const names = await this.names(rows.map(({ makerId }) => makerId));
    return rows.map(({ versionId: _, makerId, ...line }) => ({
      ...line,
      createdBy: names(makerId),
    }));
  }

  async skippedFiles(versionId: string): Promise<readonly SkippedFile[]> {
    const row = await this.database.one<{ skipped: readonly SkippedFile[] }>(
      'SELECT skipped_files AS skipped FROM artifacts.version WHERE id = $1',
      [versionId],
    );
    return row?.skipped ?? [];
  }

  /** Looks the names of all of them up in one go. */
  async names(ids: readonly (string | null)[]): Promise<(id: string | null) => string> {
    const known = [...new Set(ids.filter((id): id is string => id !== null))];
    const names = known.length === 0 ? new Map<string, string>() : await this.people.names(known);
    return (id) => (id !== null && names.get(id)) || DELETED_PERSON;
  }
}
