import { Injectable, Logger } from '@nestjs/common';
import { readable } from '#libs/kernel/words.js';
import { Database, sqlState } from '#libs/persistence/database.js';
import {
  DocumentRepository,
  type NewVersion,
  type VersionFacts,
} from '../application/ports/document-repository.js';
import { Document } from '../domain/document.js';
import { DOCUMENT_COLUMNS, type DocumentRow, documentOf } from './rows.js';

const TOO_LONG_FOR_VECTOR = '54000';
const UNKNOWN_CONFIGURATION = '42704';
const FALLBACK_LANGUAGE = 'simple';

interface VersionRow extends Omit<VersionFacts, 'summary'> {
  readonly carried: number;
  readonly orphaned: number;
  readonly sectionsCarried: number;
  readonly sectionsDropped: number;
  readonly stayed: number;
  readonly moved: number;
  readonly lost: number;
}

@Injectable()
export class PostgresDocumentRepository extends DocumentRepository {
  private readonly logger = new Logger('documents');

  constructor(private readonly database: Database) {
    super();
  }

  override async add(document: Document, version: NewVersion): Promise<void> {
    const d = document.state;
    await this.database.query(
      `INSERT INTO documents.document
         (id, project_id, title, status, language, current_version, origin, created_by_user_id, created_at, content_updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        d.id,
        d.projectId,
        d.title,
        d.status,
        d.language,
        d.currentVersion,
        d.origin,
        d.createdByUserId,
        d.createdAt,
        d.contentUpdatedAt,
      ],
    );
    await this.addVersion(version);
    await this.index(document, version.rendered.plainText);
  }

  override async lock(projectId: string, documentId: string): Promise<Document | null> {
    // NO KEY: rows that refer to this one may be written by others meanwhile, changes of it may not.
    const row = await this.database.one<DocumentRow>(
      `SELECT ${DOCUMENT_COLUMNS} FROM documents.document d
       WHERE d.id = $1 AND d.project_id = $2 FOR NO KEY UPDATE`,
      [documentId, projectId],
    );
    return row && documentOf(row);
  }

  override async currentVersionId(projectId: string, documentId: string): Promise<string | null> {
    const row = await this.database.one<{ id: string }>(
      `SELECT v.id FROM documents.document d
       JOIN documents.document_version v ON v.document_id = d.id AND v.number = d.current_version
       WHERE d.id = $1 AND d.project_id = $2`,
      [documentId, projectId],
    );
    return row?.id ?? null;
  }

  override async save(document: Document): Promise<void> {
    const d = document.state;
    await this.database.query(
      `UPDATE documents.document
       SET title = $2, status = $3, current_version = $4, archived_at = $5, archive_reason = $6, content_updated_at = $7
       WHERE id = $1`,
      [d.id, d.title, d.status, d.currentVersion, d.archivedAt, d.archiveReason, d.contentUpdatedAt],
    );
  }

  override async addVersion(version: NewVersion): Promise<void> {
    const { rendered, summary } = version;
    await this.database.query(
      `INSERT INTO documents.document_version
         (id, document_id, number, description, author_kind, author_user_id, content_hash, renderer_version,
          carried, orphaned, sections_carried, sections_dropped, created_at,
          markdown, rendered_html, plain_text, outline, sections, decisions, warnings,
          threads_stayed, threads_moved, threads_lost)
       VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
      [
        version.id,
        version.documentId,
        version.number,
        version.description,
        version.authorKind,
        version.authorUserId,
        version.contentHash,
        rendered.rendererVersion,
        summary.carried,
        summary.orphaned,
        summary.sectionsCarried,
        summary.sectionsDropped,
        version.createdAt,
        version.markdown,
        rendered.html,
        rendered.plainText,
        JSON.stringify(rendered.outline),
        JSON.stringify(rendered.sections),
        JSON.stringify(rendered.decisions),
        JSON.stringify(version.warnings),
        summary.threads.stayed,
        summary.threads.moved,
        summary.threads.lost,
      ],
    );
  }

  override async version(documentId: string, number: number): Promise<VersionFacts | null> {
    const row = await this.database.one<VersionRow>(
      `SELECT id, number, description, encode(content_hash, 'hex') AS "contentHash", carried, orphaned,
              sections_carried AS "sectionsCarried", sections_dropped AS "sectionsDropped",
              threads_stayed AS stayed, threads_moved AS moved, threads_lost AS lost, decisions, sections, warnings
       FROM documents.document_version WHERE document_id = $1 AND number = $2`,
      [documentId, number],
    );
    if (!row) return null;
    const { carried, orphaned, sectionsCarried, sectionsDropped, stayed, moved, lost, ...facts } = row;
    const threads = { stayed, moved, lost };
    return { ...facts, summary: { carried, orphaned, sectionsCarried, sectionsDropped, threads } };
  }

  override async plainText(versionId: string): Promise<string> {
    const row = await this.database.one<{ text: string }>(
      'SELECT plain_text AS text FROM documents.document_version WHERE id = $1',
      [versionId],
    );
    return row?.text ?? '';
  }

  override async index(document: Document, plainText: string): Promise<void> {
    const { id } = document.state;
    const title = readable(document.state.title);
    let { language } = document.state;
    let body = readable(plainText);
    for (;;) {
      try {
        await this.database.savepoint(() =>
          this.database.query(
            `UPDATE documents.document
             SET search_vector = setweight(to_tsvector($2::text::regconfig, $3), 'A')
                              || setweight(to_tsvector($2::text::regconfig, $4), 'B')
                              || array_to_tsvector(ARRAY[documents.search_scope(project_id, language)])
             WHERE id = $1`,
            [id, language, title, body],
          ),
        );
        return;
      } catch (error) {
        const state = sqlState(error);
        if (state === UNKNOWN_CONFIGURATION && language !== FALLBACK_LANGUAGE) {
          this.logger.warn({ msg: 'A search language is gone, using simple', documentId: id, language });
          language = FALLBACK_LANGUAGE;
        } else if (state === TOO_LONG_FOR_VECTOR && body !== '') {
          body = firstHalf(body);
          this.logger.warn({
            msg: 'The text has too many words for the search index, indexing its beginning',
            documentId: id,
            characters: body.length,
          });
        } else throw error;
      }
    }
  }
}

/** Cut between characters, never inside one. */
function firstHalf(text: string): string {
  const half = text.slice(0, Math.floor(text.length / 2));
  return /[\uD800-\uDBFF]$/.test(half) ? half.slice(0, -1) : half;
}
