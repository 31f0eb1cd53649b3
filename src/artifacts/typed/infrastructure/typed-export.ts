import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { rowsFile } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '#src/platform/application/ports/export-contributors.js';

/** Charts and diagrams of own projects, as they were written. */
@Injectable()
export class TypedExport implements ExportContributor, OnModuleInit {
  readonly name = 'typed-artifacts';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
  }

  *files({ ownedProjectIds }: ExportSubject): Iterable<ExportedFile> {
    yield rowsFile(this.database, 'typed_artifacts.json', TYPED, [ownedProjectIds]);
  }
}

const TYPED = `
  SELECT project_id AS "projectId", id, thread_id AS "threadId", type, title, description,
         turn_index AS "turnIndex", payload, created_at AS "createdAt", created_by AS "createdBy"
  FROM artifacts.typed_artifact WHERE project_id = ANY($1::uuid[]) ORDER BY project_id, id`;
