import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { ProjectCounters } from '#src/projects/application/ports/project-hooks.js';

/** Documents that wait for a verdict, for the tiles of projects. */
@Injectable()
export class DocumentCounters extends ProjectCounters {
  override readonly count = 'documentsToReview';

  constructor(private readonly database: Database) {
    super();
  }

  override async counts(projectIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ id: string; n: number }>(
      `SELECT project_id AS id, documents AS n FROM documents.document_count
       WHERE project_id = ANY($1::uuid[]) AND status = 'in-review' AND NOT archived AND documents > 0`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.id, row.n]));
  }

  override async lastActivity(projectIds: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.database.query<{ id: string; at: Date }>(
      `SELECT project_id AS id, max(content_updated_at) AS at FROM documents.document
       WHERE project_id = ANY($1::uuid[]) GROUP BY project_id`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.id, row.at]));
  }
}
