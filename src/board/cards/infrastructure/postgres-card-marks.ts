import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import {
  CardMarks,
  type MarkerFacts,
  type Pause,
  type StoredState,
} from '../application/ports/card-marks.js';
import type { Marker } from '../domain/card-state.js';

const PAUSE = 'id AS "pauseId", kind, reason, rule_id AS "ruleId", since';

interface FactsRow {
  readonly cardId: string;
  readonly finished: boolean;
  readonly pause: { reason: string; since: string } | null;
  readonly sessions: { name: string; since: string }[] | null;
  readonly blockers: number[] | null;
  readonly documentIds: string[] | null;
  readonly kind: string | null;
  readonly code: string;
  readonly since: Date | null;
}

@Injectable()
export class PostgresCardMarks extends CardMarks {
  constructor(private readonly database: Database) {
    super();
  }

  override async hold(
    card: { readonly id: string; readonly projectId: string },
    by: { readonly userId: string | null; readonly kind: string },
    at: Date,
    note: string | null,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO board.card_hold (card_id, project_id, held_by, actor_kind, held_at, note)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (card_id) DO NOTHING RETURNING 1`,
      [card.id, card.projectId, by.userId, by.kind, at, note],
    );
    return rows.length > 0;
  }

  override async endHolds(cardIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'DELETE FROM board.card_hold WHERE card_id = ANY($1::uuid[]) RETURNING card_id AS id',
      [cardIds],
    );
    return rows.map((row) => row.id);
  }

  override async activePause(cardId: string): Promise<Pause | null> {
    return this.database.one<Pause>(
      `SELECT ${PAUSE} FROM board.card_pause WHERE card_id = $1 AND ended_at IS NULL`,
      [cardId],
    );
  }

  override async endPauses(
    cardIds: readonly string[],
    reason: string,
    by: string | null,
    at: Date,
  ): Promise<{ readonly cardId: string; readonly pause: Pause }[]> {
    const rows = await this.database.query<Pause & { cardId: string }>(
      `UPDATE board.card_pause SET ended_at = $2, end_reason = $3, ended_by = $4
        WHERE card_id = ANY($1::uuid[]) AND ended_at IS NULL RETURNING card_id AS "cardId", ${PAUSE}`,
      [cardIds, at, reason, by],
    );
    return rows.map(({ cardId, ...pause }) => ({ cardId, pause }));
  }

  override async markerFacts(cardIds: readonly string[]): Promise<MarkerFacts[]> {
    const rows = await this.database.query<FactsRow>(
      `SELECT c.id AS "cardId", c.completed_at IS NOT NULL AS finished,
         (SELECT json_build_object('reason', p.reason, 'since', p.since) FROM board.card_pause p
           WHERE p.card_id = c.id AND p.ended_at IS NULL) AS pause,
         (SELECT json_agg(json_build_object('name', r.name, 'since', r.opened_at) ORDER BY r.opened_at)
            FROM board.card_session r WHERE r.card_id = c.id AND r.closed_at IS NULL) AS sessions,
         (SELECT json_agg(o.number ORDER BY o.number) FROM board.card_link l JOIN board.card o ON o.id = l.blocker_id
           WHERE (l.a_id = c.id OR l.b_id = c.id) AND l.blocker_id <> c.id AND o.completed_at IS NULL) AS blockers,
         (SELECT json_agg(d.document_id ORDER BY d.position) FROM board.card_document d
           WHERE d.card_id = c.id) AS "documentIds",
         s.kind, s.code, s.since
         FROM board.card c LEFT JOIN board.card_state s ON s.card_id = c.id WHERE c.id = ANY($1::uuid[])`,
      [cardIds],
    );
    return rows.map((row) => ({
      cardId: row.cardId,
      finished: row.finished,
      pause: row.pause && { reason: row.pause.reason, since: new Date(row.pause.since) },
      sessions: (row.sessions ?? []).map(({ name, since }) => ({ name, since: new Date(since) })),
      blockers: row.blockers ?? [],
      documentIds: row.documentIds ?? [],
      stored: row.kind === null ? null : { kind: row.kind, code: row.code, since: row.since },
    }));
  }

  override async putStates(projectId: string, states: readonly StoredState[], at: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO board.card_state (card_id, project_id, kind, code, since, reason_params, others, computed_at)
       SELECT u.card_id, $1, u.kind, u.code, u.since, u.params, u.others, $2
         FROM unnest($3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[], $8::jsonb[])
              AS u (card_id, kind, code, since, params, others)
       ON CONFLICT (card_id) DO UPDATE SET kind = excluded.kind, code = excluded.code, since = excluded.since,
         reason_params = excluded.reason_params, others = excluded.others, computed_at = excluded.computed_at`,
      [
        projectId,
        at,
        states.map((state) => state.cardId),
        states.map((state) => state.kind),
        states.map((state) => state.shown.code),
        states.map((state) => state.shown.since),
        states.map((state) => JSON.stringify(state.shown.params)),
        states.map((state) => JSON.stringify(state.others.map(storedMarker))),
      ],
    );
  }

  override async dropStates(cardIds: readonly string[]): Promise<void> {
    await this.database.query('DELETE FROM board.card_state WHERE card_id = ANY($1::uuid[])', [cardIds]);
  }
}

function storedMarker({ code, since, params }: Marker) {
  return { code, since: since?.toISOString() ?? null, params };
}
