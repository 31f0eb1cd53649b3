import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { eachRow } from '#libs/persistence/each-row.js';
import {
  type ExportContributor,
  ExportContributors,
  type ExportedFile,
  type ExportSubject,
} from '../application/ports/export-contributors.js';

/** Records of the person, and records about them without the name of who did it. */
@Injectable()
export class AuditExport implements ExportContributor, OnModuleInit {
  readonly name = 'audit';

  constructor(
    private readonly database: Database,
    private readonly contributors: ExportContributors,
  ) {}

  onModuleInit(): void {
    this.contributors.register(this);
  }

  *files({ personId }: ExportSubject): Iterable<ExportedFile> {
    yield {
      name: 'audit_log.json',
      write: (emit) =>
        eachRow(
          this.database,
          `SELECT id, at, operation, outcome, channel, subject_type AS "subjectType", subject_id AS "subjectId",
                  project_id AS "projectId", actor_id = $1::uuid AS "byYou",
                  CASE WHEN actor_id = $1::uuid THEN context ELSE '{}' END AS context
           FROM platform.audit_events
           WHERE actor_id = $1::uuid OR (subject_type = 'person' AND subject_id = $1::text)
           ORDER BY at, id`,
          [personId],
          emit,
        ),
    };
  }
}
