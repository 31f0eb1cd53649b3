import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import { BoardView } from './board-view.js';
import type { CardRef } from './full-card.js';
import { ListRows, type RowFilter } from './list-rows.js';

/** The Backlog page, newest first, and the epics that have a card there. */
@Injectable()
export class ListBacklog {
  constructor(
    private readonly view: BoardView,
    private readonly rows: ListRows,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string; readonly filter: RowFilter }) {
    const { projectId, filter } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const options = { perPage: 25, sort: 'added', dir: 'DESC' } as const;
    const listed = await this.rows.page(projectId, [board.backlog], filter, workflow, options);
    const epics = await this.database.query<CardRef>(
      `SELECT e.id AS "cardId", e.number, e.title, k.slug AS status
         FROM board.card e JOIN board.board_column k ON k.id = e.column_id
        WHERE e.id IN (SELECT parent_card_id FROM board.card WHERE column_id = $1 AND parent_card_id IS NOT NULL)
        ORDER BY e.number`,
      [board.backlog.id],
    );
    return { ...listed, revision: board.state.revision, epics };
  }
}
