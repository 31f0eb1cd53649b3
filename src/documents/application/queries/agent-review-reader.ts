import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import type { ReviewOutcome } from '../../domain/agent-review.js';
import type { FindingAnswer } from '../../domain/agent-review-texts.js';
import { AGENT_REVIEWS_SHOWN } from '../../domain/limits.js';

export interface FindingAnswerRow {
  readonly findingId: string;
  readonly title: string;
  readonly body: string;
  readonly bodyHtml: string;
  readonly section: string | null;
  readonly needsPerson: boolean;
  readonly answer: FindingAnswer | null;
  readonly reason: string | null;
}

/** A review by an agent as pages show it. */
export interface AgentReviewAnswer {
  readonly reviewId: string;
  readonly cardId: string;
  readonly cardNumber: number | null;
  readonly version: number;
  /** Whether the version was the newest when the review was written. */
  readonly current: boolean;
  readonly outcome: ReviewOutcome;
  readonly summary: string | null;
  readonly submittedAt: string;
  readonly answeredAt: string | null;
  readonly findings: readonly FindingAnswerRow[];
}

/** Reviews by agents of every version, the newest first, with their findings in one statement. */
@Injectable()
export class AgentReviewReader {
  constructor(private readonly database: Database) {}

  async newest(documentId: string): Promise<AgentReviewAnswer[]> {
    const rows = await this.database.query<
      Omit<AgentReviewAnswer, 'submittedAt' | 'answeredAt'> & {
        readonly submittedAt: Date;
        readonly answeredAt: Date | null;
      }
    >(
      `SELECT r.id AS "reviewId", r.card_id AS "cardId", r.card_number AS "cardNumber", r.version_number AS version,
              r.was_current AS current, r.outcome, r.summary, r.submitted_at AS "submittedAt",
              r.answered_at AS "answeredAt", f.findings
       FROM (SELECT * FROM documents.agent_review WHERE document_id = $1
             ORDER BY submitted_at DESC, id DESC LIMIT ${AGENT_REVIEWS_SHOWN}) AS r,
       LATERAL (
         SELECT coalesce(json_agg(json_build_object(
                  'findingId', id, 'title', title, 'body', body, 'bodyHtml', body_html, 'section', section,
                  'needsPerson', needs_person, 'answer', answer, 'reason', reason) ORDER BY position), '[]') AS findings
         FROM documents.agent_review_finding WHERE agent_review_id = r.id
       ) AS f
       ORDER BY r.submitted_at DESC, r.id DESC`,
      [documentId],
    );
    return rows.map((row) => ({
      ...row,
      submittedAt: row.submittedAt.toISOString(),
      answeredAt: row.answeredAt?.toISOString() ?? null,
    }));
  }
}
