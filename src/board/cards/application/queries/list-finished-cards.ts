import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { columnAnswer } from '../named-column.js';
import { BoardView } from './board-view.js';
import { ListRows, type RowFilter } from './list-rows.js';

/** All cards of a terminal column, the newest completion first. @throws DomainError `not-found` for any other column. */
@Injectable()
export class ListFinishedCards {
  constructor(
    private readonly view: BoardView,
    private readonly rows: ListRows,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly columnId: string; readonly filter: RowFilter },
  ) {
    const { projectId, filter } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const column = board.columnById(input.columnId);
    if (!column?.terminal) throw notFound('Column');
    const options = { perPage: 25, sort: 'completed', dir: 'ASC' } as const;
    const listed = await this.rows.page(projectId, [column], filter, workflow, options);
    return { ...listed, revision: board.state.revision, column: columnAnswer(column) };
  }
}
