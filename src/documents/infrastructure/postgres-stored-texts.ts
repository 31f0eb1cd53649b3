import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  type RemarkKind,
  type StoredRemark,
  StoredTexts,
  type StoredVersion,
} from '../application/ports/stored-texts.js';

const VERSIONS = 20;
const REMARKS = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Where each kind of remark lies: table, text, HTML. */
const PLACES: Readonly<Record<RemarkKind, readonly [string, string, string]>> = {
  comment: ['documents.comment', 'body', 'body_html'],
  verdict: ['documents.verdict', 'note', 'note_html'],
  finding: ['documents.agent_review_finding', 'body', 'body_html'],
};

@Injectable()
export class PostgresStoredTexts extends StoredTexts {
  constructor(private readonly database: Database) {
    super();
  }

  override versions(afterId: string | null): Promise<StoredVersion[]> {
    return this.database.query<StoredVersion>(
      `SELECT id, document_id AS "documentId", number, markdown, rendered_html AS html, plain_text AS "plainText",
              renderer_version AS "rendererVersion", outline, sections, decisions
       FROM documents.document_version WHERE id > $1 ORDER BY id LIMIT ${VERSIONS}`,
      [afterId ?? FIRST],
    );
  }

  override async replaceVersionHtml(id: string, html: string, rendererVersion: string): Promise<boolean> {
    const rows = await this.database.query(
      'UPDATE documents.document_version SET rendered_html = $2, renderer_version = $3 WHERE id = $1 RETURNING 1',
      [id, html, rendererVersion],
    );
    return rows.length === 1;
  }

  override remarks(kind: RemarkKind, afterId: string | null): Promise<StoredRemark[]> {
    const [table, text, html] = PLACES[kind];
    return this.database.query<StoredRemark>(
      `SELECT id, ${text} AS text, ${html} AS html FROM ${table}
       WHERE id > $1 AND ${html} IS NOT NULL ORDER BY id LIMIT ${REMARKS}`,
      [afterId ?? FIRST],
    );
  }

  override async replaceRemarkHtml(
    kind: RemarkKind,
    remark: StoredRemark,
    newHtml: string,
  ): Promise<boolean> {
    const [table, text, html] = PLACES[kind];
    const rows = await this.database.query(
      `UPDATE ${table} SET ${html} = $3 WHERE id = $1 AND ${text} = $2 RETURNING 1`,
      [remark.id, remark.text, newHtml],
    );
    return rows.length === 1;
  }
}
