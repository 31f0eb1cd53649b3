import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  type DecisionAnswer,
  ReviewRepository,
  type SectionApproval,
} from '../application/ports/review-repository.js';
import type { Verdict } from '../domain/verdict.js';
import { VERDICT_COLUMNS, type VerdictRow } from './rows.js';

@Injectable()
export class PostgresReviewRepository extends ReviewRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async newestVerdict(versionId: string): Promise<Verdict | null> {
    return this.database.one<VerdictRow>(
      `SELECT ${VERDICT_COLUMNS} FROM documents.verdict v
       WHERE v.document_version_id = $1 ORDER BY v.submitted_at DESC, v.id DESC LIMIT 1`,
      [versionId],
    );
  }

  override async verdict(verdictId: string, documentId: string): Promise<Verdict | null> {
    return this.database.one<VerdictRow>(
      `SELECT ${VERDICT_COLUMNS} FROM documents.verdict v
       JOIN documents.document_version dv ON dv.id = v.document_version_id
       WHERE v.id = $1 AND dv.document_id = $2`,
      [verdictId, documentId],
    );
  }

  override async addVerdict(verdict: Verdict, noteHtml: string | null): Promise<void> {
    await this.database.query(
      `INSERT INTO documents.verdict
         (id, document_version_id, verdict, note, note_html, reviewer_user_id, submitted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        verdict.id,
        verdict.versionId,
        verdict.verdict,
        verdict.note,
        noteHtml,
        verdict.reviewerUserId,
        verdict.submittedAt,
      ],
    );
  }

  override async withdraw(verdictId: string, personId: string | null, at: Date): Promise<void> {
    await this.database.query(
      'UPDATE documents.verdict SET withdrawn_at = $2, withdrawn_by_user_id = $3 WHERE id = $1',
      [verdictId, at, personId],
    );
  }

  override async answers(documentId: string): Promise<DecisionAnswer[]> {
    return this.database.query<DecisionAnswer>(
      `SELECT document_id AS "documentId", decision_id AS "decisionId", selections, note,
              updated_at AS "updatedAt", updated_by_user_id AS "updatedByUserId", audited_at AS "auditedAt"
       FROM documents.decision_answer WHERE document_id = $1`,
      [documentId],
    );
  }

  override async saveAnswer(answer: DecisionAnswer): Promise<void> {
    await this.database.query(
      `INSERT INTO documents.decision_answer
         (document_id, decision_id, selections, note, updated_at, updated_by_user_id, audited_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT ON CONSTRAINT decision_answer_key DO UPDATE
       SET selections = EXCLUDED.selections, note = EXCLUDED.note, updated_at = EXCLUDED.updated_at,
           updated_by_user_id = EXCLUDED.updated_by_user_id, audited_at = EXCLUDED.audited_at`,
      [
        answer.documentId,
        answer.decisionId,
        JSON.stringify(answer.selections),
        answer.note,
        answer.updatedAt,
        answer.updatedByUserId,
        answer.auditedAt,
      ],
    );
  }

  override async approvals(documentId: string): Promise<SectionApproval[]> {
    return this.database.query<SectionApproval>(
      `SELECT heading_id AS "headingId", content_hash AS "contentHash", user_id AS "userId"
       FROM documents.section_approval WHERE document_id = $1`,
      [documentId],
    );
  }

  override async dropApprovals(documentId: string, headingIds: readonly string[]): Promise<void> {
    if (headingIds.length === 0) return;
    await this.database.query(
      'DELETE FROM documents.section_approval WHERE document_id = $1 AND heading_id = ANY($2::text[])',
      [documentId, headingIds],
    );
  }

  override async approve(documentId: string, approval: SectionApproval, at: Date): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO documents.section_approval (document_id, heading_id, user_id, content_hash, approved_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
      [documentId, approval.headingId, approval.userId, approval.contentHash, at],
    );
    return rows.length > 0;
  }

  override async unapprove(documentId: string, headingId: string, userId: string): Promise<boolean> {
    const rows = await this.database.query(
      `DELETE FROM documents.section_approval
       WHERE document_id = $1 AND heading_id = $2 AND user_id = $3 RETURNING 1`,
      [documentId, headingId, userId],
    );
    return rows.length > 0;
  }

  override async markRead(
    projectId: string,
    documentId: string,
    userId: string,
    version: number,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO documents.reader_mark (user_id, document_id, version_number)
       SELECT $1, id, $4 FROM documents.document WHERE id = $2 AND project_id = $3 AND current_version >= $4
       ON CONFLICT (user_id, document_id) DO UPDATE
       SET version_number = greatest(reader_mark.version_number, EXCLUDED.version_number)
       RETURNING 1`,
      [userId, documentId, projectId, version],
    );
    return rows.length > 0;
  }
}
