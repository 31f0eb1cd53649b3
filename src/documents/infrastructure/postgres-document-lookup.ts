import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type DocumentFacts, DocumentLookup } from '../application/ports/document-lookup.js';

@Injectable()
export class PostgresDocumentLookup extends DocumentLookup {
  constructor(private readonly database: Database) {
    super();
  }

  override async byIds(
    projectId: string,
    documentIds: readonly string[],
  ): Promise<Map<string, DocumentFacts>> {
    if (documentIds.length === 0) return new Map();
    const rows = await this.database.query<DocumentFacts>(
      `SELECT d.id AS "documentId", d.title, d.status, d.current_version AS version,
              d.archived_at IS NOT NULL AS archived, d.content_updated_at AS "submittedAt",
              ARRAY(SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
                    WHERE dt.document_id = d.id ORDER BY t.name) AS tags
         FROM documents.document d WHERE d.project_id = $1 AND d.id = ANY($2::uuid[])`,
      [projectId, documentIds],
    );
    return new Map(rows.map((row) => [row.documentId, row]));
  }
}
