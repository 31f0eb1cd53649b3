import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  type InteractiveRun,
  InteractiveRuns,
  type RunCloseReason,
} from '../application/ports/interactive-runs.js';

const RUN = `run_id AS "runId", card_id AS "cardId", project_id AS "projectId", session_id AS "sessionId", name,
  column_id AS "columnId", opened_at AS "openedAt", closed_at AS "closedAt"`;
const CLOSE = 'UPDATE board.card_session SET closed_at = $2, close_reason = $3';

@Injectable()
export class PostgresInteractiveRuns extends InteractiveRuns {
  constructor(private readonly database: Database) {
    super();
  }

  override async open(run: InteractiveRun, personId: string | null): Promise<void> {
    await this.database.query(
      `INSERT INTO board.card_session (run_id, card_id, project_id, session_id, name, person_id, column_id, opened_at, seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [run.runId, run.cardId, run.projectId, run.sessionId, run.name, personId, run.columnId, run.openedAt],
    );
  }

  override async latest(cardId: string, sessionId: string): Promise<InteractiveRun | null> {
    return this.database.one<InteractiveRun>(
      `SELECT ${RUN} FROM board.card_session WHERE card_id = $1 AND session_id = $2
        ORDER BY closed_at IS NOT NULL, opened_at DESC, run_id DESC LIMIT 1`,
      [cardId, sessionId],
    );
  }

  override async byId(cardId: string, runId: string): Promise<InteractiveRun | null> {
    return this.database.one<InteractiveRun>(
      `SELECT ${RUN} FROM board.card_session WHERE card_id = $1 AND run_id = $2`,
      [cardId, runId],
    );
  }

  override async closeOfCards(
    cardIds: readonly string[],
    reason: RunCloseReason,
    at: Date,
    exceptRunId?: string,
  ): Promise<InteractiveRun[]> {
    return this.database.query<InteractiveRun>(
      `${CLOSE} WHERE card_id = ANY($1::uuid[]) AND closed_at IS NULL AND ($4::uuid IS NULL OR run_id <> $4)
       RETURNING ${RUN}`,
      [cardIds, at, reason, exceptRunId ?? null],
    );
  }

  override async close(runId: string, reason: RunCloseReason, at: Date): Promise<boolean> {
    const rows = await this.database.query(`${CLOSE} WHERE run_id = $1 AND closed_at IS NULL RETURNING 1`, [
      runId,
      at,
      reason,
    ]);
    return rows.length > 0;
  }

  override async seen(sessionId: string, at: Date): Promise<void> {
    await this.database.query(
      'UPDATE board.card_session SET seen_at = $2 WHERE session_id = $1 AND closed_at IS NULL',
      [sessionId, at],
    );
  }

  override async staleSince(before: Date): Promise<InteractiveRun[]> {
    return this.database.query<InteractiveRun>(
      `SELECT ${RUN} FROM board.card_session WHERE closed_at IS NULL AND seen_at < $1 ORDER BY seen_at LIMIT 100`,
      [before],
    );
  }
}
