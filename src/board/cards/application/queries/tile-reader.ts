import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import type { BoardWorkflow } from '../../../workflow/application/ports/workflow-templates.js';
import { CardFeedback } from '../ports/card-feedback.js';
import { STATE_COLUMNS, type StateColumns, type TileState, tileState } from './state-answer.js';

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The facts of one card on the board, in a list or at the head of the drawer. */
export interface Tile {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly type: string;
  readonly columnId: string;
  readonly status: string;
  readonly reporter: string;
  /** Ascending inside a column, with the id behind it; has no meaning beyond that. */
  readonly order: number;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revision: number;
  readonly parentCardId: string | null;
  readonly parentNumber: number | null;
  readonly parentTitle: string | null;
  readonly state: TileState | null;
  readonly held: boolean;
  readonly paused: boolean;
  readonly pullRequests: number;
  readonly chips: readonly string[];
  readonly feedbackPending: number;
  readonly documents: number;
  readonly progress: Progress | null;
  readonly laneEnabled: boolean;
  /** Numbers of the open cards that block it. */
  readonly blockedBy: readonly number[];
}

type Row = Omit<Tile, 'state' | 'chips' | 'feedbackPending' | 'blockedBy'> &
  StateColumns & { readonly blockers: number[] | null };

/** Reads tiles by lists of ids: one statement, however many. */
@Injectable()
export class TileReader {
  constructor(
    private readonly database: Database,
    private readonly feedback: CardFeedback,
  ) {}

  /** In the order of `ids`; what is not in the project is left out. */
  async tiles(projectId: string, ids: readonly string[], workflow: BoardWorkflow): Promise<Tile[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<Row>(
      `SELECT c.id AS "cardId", c.number, c.title, c.type, c.column_id AS "columnId", k.slug AS status, c.reporter,
         c.rank AS "order", c.completed_at AS "completedAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
         c.revision, c.parent_card_id AS "parentCardId",
         e.number AS "parentNumber", e.title AS "parentTitle",
         EXISTS (SELECT FROM board.card_hold h WHERE h.card_id = c.id) AS held,
         EXISTS (SELECT FROM board.card_pause z WHERE z.card_id = c.id AND z.ended_at IS NULL) AS paused,
         (SELECT count(*)::int FROM board.card_pull_request r WHERE r.card_id = c.id) AS "pullRequests",
         (SELECT count(*)::int FROM board.card_document d WHERE d.card_id = c.id) AS documents,
         CASE WHEN c.type = ANY($3::text[]) THEN
           (SELECT json_build_object('done', count(*) FILTER (WHERE n.completed_at IS NOT NULL), 'total', count(*))
              FROM board.card n WHERE n.parent_card_id = c.id) END AS progress,
         c.lane_enabled AS "laneEnabled",
         (SELECT json_agg(o.number ORDER BY o.number) FROM board.card_link l JOIN board.card o ON o.id = l.blocker_id
           WHERE (l.a_id = c.id OR l.b_id = c.id) AND l.blocker_id <> c.id AND o.completed_at IS NULL) AS blockers,
         ${STATE_COLUMNS}
       FROM unnest($2::uuid[]) WITH ORDINALITY AS u (id, place)
       JOIN board.card c ON c.id = u.id
       JOIN board.board_column k ON k.id = c.column_id
       LEFT JOIN board.card e ON e.id = c.parent_card_id
       LEFT JOIN board.card_state s ON s.card_id = c.id
       WHERE c.project_id = $1 ORDER BY u.place`,
      [projectId, ids, workflow.types.filter((type) => type.children).map((type) => type.key)],
    );
    const pending = await this.feedback.pendingCounts(rows.map((row) => row.cardId));
    return rows.map(({ stateKind, stateCode, stateSince, stateParams, blockers, ...row }) => ({
      ...row,
      state: tileState({ stateKind, stateCode, stateSince, stateParams }),
      chips: row.paused ? ['paused'] : [],
      feedbackPending: pending.get(row.cardId) ?? 0,
      blockedBy: blockers ?? [],
    }));
  }
}
