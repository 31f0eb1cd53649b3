import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { BoardView } from './board-view.js';
import { ListRows, type RowFilter } from './list-rows.js';

/** The board as one table: open cards outside Backlog. */
@Injectable()
export class ListOpenCards {
  constructor(
    private readonly view: BoardView,
    private readonly rows: ListRows,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string; readonly filter: RowFilter }) {
    const { projectId, filter } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const columns = board.columns.filter((column) => !column.backlog && !column.terminal);
    const options = { perPage: 50, sort: 'column', dir: 'ASC' } as const;
    const listed = await this.rows.page(projectId, columns, filter, workflow, options);
    return { ...listed, revision: board.state.revision };
  }
}
