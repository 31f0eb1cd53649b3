import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { STATE_COLUMNS, type StateColumns, type StateSummary, stateSummary } from './state-answer.js';

/** A row of `card_list` and `card_search`. */
export interface CardSummary {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly type: string;
  readonly status: string;
  readonly reporter: string;
  readonly parentCardId: string | null;
  readonly updatedAt: string;
  readonly state: StateSummary | null;
}

@Injectable()
export class SummaryReader {
  constructor(private readonly database: Database) {}

  /** In the order of `ids`. */
  async summaries(projectId: string, ids: readonly string[]): Promise<CardSummary[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<
      Omit<CardSummary, 'updatedAt' | 'state'> & StateColumns & { readonly updatedAt: Date }
    >(
      `SELECT c.id AS "cardId", c.number, c.title, c.type, k.slug AS status, c.reporter,
              c.parent_card_id AS "parentCardId", c.updated_at AS "updatedAt", ${STATE_COLUMNS}
         FROM unnest($2::uuid[]) WITH ORDINALITY AS u (id, place)
         JOIN board.card c ON c.id = u.id
         JOIN board.board_column k ON k.id = c.column_id
         LEFT JOIN board.card_state s ON s.card_id = c.id
        WHERE c.project_id = $1 ORDER BY u.place`,
      [projectId, ids],
    );
    return rows.map(({ stateKind, stateCode, stateSince, stateParams, ...row }) => ({
      ...row,
      updatedAt: row.updatedAt.toISOString(),
      state: stateSummary({ stateKind, stateCode, stateSince, stateParams }),
    }));
  }
}
