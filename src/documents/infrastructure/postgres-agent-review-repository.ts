import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { AgentReviewRepository } from '../application/ports/agent-review-repository.js';
import { AgentReview, type AgentReviewState, type Finding } from '../domain/agent-review.js';

const COLUMNS = `r.id, r.document_id AS "documentId", r.card_id AS "cardId", r.card_number AS "cardNumber",
  r.run_id AS "runId", r.session_id AS "sessionId", r.version_number AS "versionNumber",
  r.was_current AS "wasCurrent", r.outcome, r.summary, r.submitted_at AS "submittedAt",
  r.answered_at AS "answeredAt", r.answer_run_id AS "answerRunId"`;

@Injectable()
export class PostgresAgentReviewRepository extends AgentReviewRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(review: AgentReview, bodiesHtml: readonly string[]): Promise<void> {
    const r = review.state;
    await this.database.query(
      `INSERT INTO documents.agent_review
         (id, document_id, card_id, card_number, run_id, session_id, version_number, was_current, outcome, summary, submitted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        r.id,
        r.documentId,
        r.cardId,
        r.cardNumber,
        r.runId,
        r.sessionId,
        r.versionNumber,
        r.wasCurrent,
        r.outcome,
        r.summary,
        r.submittedAt,
      ],
    );
    await this.database.query(
      `INSERT INTO documents.agent_review_finding
         (id, agent_review_id, position, title, body, body_html, section, needs_person)
       SELECT f.id, $1, f.position, f.title, f.body, f.html, f.section, f.needs_person
       FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
            AS f (id, position, title, body, html, section, needs_person)`,
      [
        r.id,
        r.findings.map((finding) => finding.id),
        r.findings.map((_, index) => index + 1),
        r.findings.map((finding) => finding.title),
        r.findings.map((finding) => finding.body),
        bodiesHtml,
        r.findings.map((finding) => finding.section),
        r.findings.map((finding) => finding.needsPerson),
      ],
    );
  }

  override async saveAnswers(review: AgentReview): Promise<void> {
    const { id, findings, answeredAt, answerRunId } = review.state;
    await this.database.query(
      'UPDATE documents.agent_review SET answered_at = $2, answer_run_id = $3 WHERE id = $1',
      [id, answeredAt, answerRunId],
    );
    await this.database.query(
      `UPDATE documents.agent_review_finding f SET answer = a.answer, reason = a.reason
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS a (id, answer, reason) WHERE f.id = a.id`,
      [
        findings.map((finding) => finding.id),
        findings.map((finding) => finding.answer),
        findings.map((finding) => finding.reason),
      ],
    );
  }

  override async ofRun(
    runId: string,
    documentId: string,
    versionNumber: number,
  ): Promise<AgentReview | null> {
    return this.one('r.run_id = $1 AND r.document_id = $2 AND r.version_number = $3', [
      runId,
      documentId,
      versionNumber,
    ]);
  }

  override async latest(cardId: string, documentId: string): Promise<AgentReview | null> {
    return this.one('r.card_id = $1 AND r.document_id = $2 ORDER BY r.submitted_at DESC, r.id DESC LIMIT 1', [
      cardId,
      documentId,
    ]);
  }

  override async forgetCard(cardId: string): Promise<void> {
    await this.database.query('UPDATE documents.agent_review SET card_number = NULL WHERE card_id = $1', [
      cardId,
    ]);
  }

  private async one(condition: string, parameters: readonly unknown[]): Promise<AgentReview | null> {
    const row = await this.database.one<Omit<AgentReviewState, 'findings'>>(
      `SELECT ${COLUMNS} FROM documents.agent_review r WHERE ${condition}`,
      parameters,
    );
    if (!row) return null;
    const findings = await this.database.query<Finding>(
      `SELECT id, title, body, section, needs_person AS "needsPerson", answer, reason
       FROM documents.agent_review_finding WHERE agent_review_id = $1 ORDER BY position`,
      [row.id],
    );
    return AgentReview.restore({ ...row, findings });
  }
}
