import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type DocumentFacts, DocumentLookup } from '../application/ports/document-lookup.js';

interface LookupRow extends Omit<DocumentFacts, 'standingVerdict' | 'agentReview'> {
  readonly verdictId: string | null;
  readonly verdict: 'approved' | 'changes-requested' | null;
  readonly verdictAt: Date | null;
  readonly reviewId: string | null;
  readonly cardId: string | null;
  readonly outcome: 'passed' | 'failed' | null;
  readonly answered: boolean | null;
}

/** One statement, however many documents are asked for. */
@Injectable()
export class PostgresDocumentLookup extends DocumentLookup {
  constructor(private readonly database: Database) {
    super();
  }

  override async byIds(projectId: string, ids: readonly string[]): Promise<Map<string, DocumentFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<LookupRow>(
      `SELECT d.id, d.title, d.status, d.status = 'draft' AS draft, d.archived_at IS NOT NULL AS archived,
              d.current_version AS version, v.created_at AS "submittedAt",
              ARRAY(SELECT t.name FROM documents.document_tag dt JOIN documents.tag t ON t.id = dt.tag_id
                    WHERE dt.document_id = d.id ORDER BY t.name) AS tags,
              (SELECT count(*)::int FROM documents.comment c
               WHERE c.document_version_id = v.id AND c.parent_id IS NULL AND c.status = 'pending'
                 AND c.deleted_at IS NULL) AS "pendingThreads",
              s.id AS "verdictId", s.verdict, s.submitted_at AS "verdictAt",
              r.id AS "reviewId", r.card_id AS "cardId", r.outcome, r.answered_at IS NOT NULL AS answered,
              (SELECT count(*)::int FROM documents.agent_review f
               WHERE f.document_id = d.id AND f.outcome = 'failed') AS "failedReviewRounds"
       FROM documents.document d
       JOIN documents.document_version v ON v.document_id = d.id AND v.number = d.current_version
       LEFT JOIN LATERAL (
         SELECT * FROM documents.verdict WHERE document_version_id = v.id ORDER BY submitted_at DESC, id DESC LIMIT 1
       ) AS s ON s.withdrawn_at IS NULL
       LEFT JOIN LATERAL (
         SELECT * FROM documents.agent_review WHERE document_id = d.id AND version_number = d.current_version
         ORDER BY submitted_at DESC, id DESC LIMIT 1
       ) AS r ON true
       WHERE d.project_id = $1 AND d.id = ANY($2::uuid[])`,
      [projectId, ids],
    );
    return new Map(rows.map((row) => [row.id, factsOf(row)]));
  }
}

function factsOf(row: LookupRow): DocumentFacts {
  const { verdictId, verdict, verdictAt, reviewId, cardId, outcome, answered, ...facts } = row;
  return {
    ...facts,
    standingVerdict:
      verdictId === null ? null : { id: verdictId, verdict: verdict!, submittedAt: verdictAt! },
    agentReview:
      reviewId === null ? null : { id: reviewId, cardId: cardId!, outcome: outcome!, answered: answered! },
  };
}
