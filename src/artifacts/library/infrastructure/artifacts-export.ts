import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';
import { ArtifactBlobs } from '../application/ports/artifact-blobs.js';

/** Together, for all artifacts of one export. */
const MAX_BYTES = 1024 ** 3;

interface FileRow {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Artifacts of own projects: what is known about each, and the files of its latest version up to a gibibyte. */
@Injectable()
export class ArtifactsExport implements ExportContributor, OnModuleInit {
  readonly name = 'artifacts';

  constructor(
    private readonly database: Database,
    private readonly blobs: ArtifactBlobs,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
  }

  async *files({ ownedProjectIds }: ExportSubject): AsyncIterable<ExportedFile> {
    yield rowsFile(this.database, 'artifacts.json', ARTIFACTS, [ownedProjectIds]);
    const missing: string[] = [];
    let room = MAX_BYTES;
    const artifacts = await this.database.query<{ id: string }>(LATEST, [ownedProjectIds]);
    for (const { id } of artifacts) {
      for (const { path, sha256, bytes } of await this.database.query<FileRow>(FILES, [id])) {
        const name = `artifacts/${id}/${path}`;
        if (bytes > room) {
          missing.push(`${name}: left out, this export holds 1 GiB of files at most`);
          continue;
        }
        const content = await this.opened(sha256);
        if (content === null) missing.push(`${name}: damaged in storage`);
        else yield { name, content };
        room -= bytes;
      }
    }
    if (missing.length > 0) {
      yield { name: 'artifacts-left-out.txt', content: Readable.from([`${missing.join('\n')}\n`]) };
    }
  }

  /** Null for bytes that storage no longer has; a store that is away fails the run, which is tried again. */
  private async opened(sha256: string): Promise<Readable | null> {
    try {
      return await this.blobs.open(sha256);
    } catch (error) {
      if (error instanceof DomainError && error.kind !== 'unavailable') return null;
      throw error;
    }
  }
}

const ARTIFACTS = `
  SELECT a.id, a.project_id AS "projectId", a.name, a.description, a.artifact_type AS type, a.framework, a.origin,
         a.status, a.privacy, a.latest_version AS "latestVersion", a.archived_at AS "archivedAt",
         a.created_by AS "createdBy", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
         (SELECT coalesce(json_agg(json_build_object('number', v.number, 'revision', v.revision, 'notes', v.notes,
            'source', v.source, 'files', v.file_count, 'bytes', v.total_bytes, 'createdBy', v.created_by,
            'createdAt', v.created_at) ORDER BY v.number), '[]')
          FROM artifacts.version v WHERE v.artifact_id = a.id) AS versions,
         (SELECT coalesce(json_agg(l.card_id ORDER BY l.position), '[]')
          FROM artifacts.card_link l WHERE l.artifact_id = a.id) AS cards
  FROM artifacts.artifact a
  WHERE a.project_id = ANY($1::uuid[]) AND a.deleted_at IS NULL ORDER BY a.created_at, a.id`;

const LATEST = `
  SELECT id FROM artifacts.artifact
  WHERE project_id = ANY($1::uuid[]) AND deleted_at IS NULL AND latest_version IS NOT NULL ORDER BY created_at, id`;

const FILES = `
  SELECT f.path, f.sha256, f.bytes FROM artifacts.artifact a
  JOIN artifacts.version v ON v.artifact_id = a.id AND v.number = a.latest_version
  JOIN artifacts.file f ON f.version_id = v.id WHERE a.id = $1 ORDER BY f.path`;
