import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { HighlightRepository } from '../application/ports/highlight-repository.js';
import type { Highlight } from '../domain/highlights.js';

@Injectable()
export class PostgresHighlightRepository extends HighlightRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofVersion(versionId: string): Promise<Highlight[]> {
    return this.database.query<Highlight>(
      `SELECT start_offset AS start, end_offset AS "end", quote
         FROM documents.highlight WHERE document_version_id = $1 ORDER BY position`,
      [versionId],
    );
  }

  override async replace(versionId: string, highlights: readonly Highlight[]): Promise<void> {
    await this.database.query('DELETE FROM documents.highlight WHERE document_version_id = $1', [versionId]);
    await this.database.query(
      `INSERT INTO documents.highlight (document_version_id, position, start_offset, end_offset, quote)
       SELECT $1, row_number() OVER (), start, "end", quote
         FROM jsonb_to_recordset($2) AS h (start int, "end" int, quote text)`,
      [versionId, JSON.stringify(highlights)],
    );
  }
}
