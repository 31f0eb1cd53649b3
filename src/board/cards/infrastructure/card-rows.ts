import type { CardFacts } from '../application/ports/cards.js';
import type { Reporter } from '../domain/card.js';

/** Columns of a card `c` with what rules about it ask for. */
export const CARD_FACTS = `c.id, c.project_id AS "projectId", c.number, c.title, c.type, c.column_id AS "columnId", c.rank,
  c.reporter, c.source_kind AS "sourceKind", c.source_run_id AS "sourceRunId",
  c.source_run_card_number AS "sourceRunCardNumber", c.parent_card_id AS "parentCardId",
  c.lane_enabled AS "laneEnabled", c.completed_at AS "completedAt", c.created_at AS "createdAt",
  c.updated_at AS "updatedAt", c.created_by AS "createdBy", c.revision, c.content_version AS "contentVersion",
  EXISTS (SELECT FROM board.card_hold h WHERE h.card_id = c.id) AS held,
  EXISTS (SELECT FROM board.card_pause p WHERE p.card_id = c.id AND p.ended_at IS NULL) AS paused,
  EXISTS (SELECT FROM board.card_session s WHERE s.card_id = c.id AND s.closed_at IS NULL) AS "inSession",
  EXISTS (SELECT FROM board.card k WHERE k.parent_card_id = c.id) AS "hasChildren",
  (SELECT count(*)::int FROM board.card_document d WHERE d.card_id = c.id) AS "documentCount"`;

export interface CardRow extends Omit<CardFacts, 'source'> {
  readonly sourceKind: CardFacts['source']['kind'];
  readonly sourceRunId: string | null;
  readonly sourceRunCardNumber: number | null;
  readonly reporter: Reporter;
}

export function cardFrom({ sourceKind, sourceRunId, sourceRunCardNumber, ...row }: CardRow): CardFacts {
  return { ...row, source: { kind: sourceKind, runId: sourceRunId, runCardNumber: sourceRunCardNumber } };
}
