import { Injectable } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import type { AuthorKind, DocumentOrigin, DocumentStatus } from '../../domain/document.js';

/** What a document says about itself, without its texts. */
export interface DocumentHead {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly archived: boolean;
  readonly archiveReason: string | null;
  readonly currentVersion: number;
  readonly language: string;
  readonly origin: DocumentOrigin;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  readonly contentUpdatedAt: Date;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly seriesOrdinal: number | null;
}

/** The other end of a reference. */
export interface DocumentLink {
  readonly documentId: string;
  readonly title: string;
  readonly archived: boolean;
}

export interface DocumentLinks {
  readonly references: readonly DocumentLink[];
  readonly referencedBy: readonly DocumentLink[];
}

/** One version without its texts. */
export interface VersionHead {
  readonly id: string;
  readonly number: number;
  readonly description: string | null;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  readonly createdAt: Date;
  readonly carried: number;
  readonly orphaned: number;
}

/** Reads that several queries share, one statement each. */
@Injectable()
export class DocumentReader {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not-found`, the same for unknown ids and ids of other projects. */
  async head(projectId: string, documentId: string): Promise<DocumentHead> {
    const row = await this.database.one<DocumentHead>(
      `SELECT d.id, d.project_id AS "projectId", d.title, d.status, d.archived_at IS NOT NULL AS archived,
              d.archive_reason AS "archiveReason", d.current_version AS "currentVersion", d.language, d.origin,
              d.created_by_user_id AS "createdByUserId", d.created_at AS "createdAt",
              d.content_updated_at AS "contentUpdatedAt", s.name AS series, d.series_ordinal AS "seriesOrdinal",
              ARRAY(SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
                    WHERE dt.document_id = d.id ORDER BY t.name) AS tags
       FROM documents.document d LEFT JOIN documents.series s ON s.id = d.series_id
       WHERE d.id = $1 AND d.project_id = $2`,
      [documentId, projectId],
    );
    if (!row) throw notFound('Document', 'documentId');
    return row;
  }

  async links(documentId: string): Promise<DocumentLinks> {
    const rows = await this.database.query<DocumentLink & { outgoing: boolean }>(
      `SELECT d.id AS "documentId", d.title, d.archived_at IS NOT NULL AS archived, true AS outgoing, r.position
       FROM documents.document_reference r JOIN documents.document d ON d.id = r.target_id WHERE r.document_id = $1
       UNION ALL
       SELECT d.id, d.title, d.archived_at IS NOT NULL, false, 0
       FROM documents.document_reference r JOIN documents.document d ON d.id = r.document_id WHERE r.target_id = $1
       ORDER BY outgoing DESC, position, title, "documentId"`,
      [documentId],
    );
    const link = ({ documentId: id, title, archived }: DocumentLink) => ({ documentId: id, title, archived });
    return {
      references: rows.filter((row) => row.outgoing).map(link),
      referencedBy: rows.filter((row) => !row.outgoing).map(link),
    };
  }

  /** @throws DomainError `not-found` for a number that the document does not have. */
  async version<Extra = unknown>(
    documentId: string,
    number: number,
    columns: readonly string[] = [],
  ): Promise<VersionHead & Extra> {
    const row = await this.database.one<VersionHead & Extra>(
      `SELECT ${['id', 'number', 'description', 'author_kind AS "authorKind"', 'author_user_id AS "authorUserId"', 'created_at AS "createdAt"', 'carried', 'orphaned', ...columns].join(', ')}
       FROM documents.document_version WHERE document_id = $1 AND number = $2`,
      [documentId, Math.min(Math.max(number, 0), 2_147_483_647)],
    );
    if (!row) throw notFound('Version');
    return row;
  }
}
