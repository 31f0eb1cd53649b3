import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { ColumnChanges } from '../column-changes.js';
import { columnList } from '../named-column.js';

/** Puts the columns in another order; Backlog stays first. @throws InvalidInput; DomainError `columns_changed`. */
@Injectable()
export class ReorderColumns {
  constructor(
    private readonly door: BoardDoor,
    private readonly changes: ColumnChanges,
  ) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      /** Slugs, as tools name columns. */
      readonly order?: readonly string[];
      /** Ids, as pages do. */
      readonly columnIds?: readonly string[];
      readonly columnsRevision?: Given<number>;
    },
  ): Promise<void> {
    const { projectId, columnIds } = input;
    const request = { projectId, level: 'administer', operation: 'board.columns_reordered' } as const;
    await this.door.change(actor, request, async (change) => {
      const { board } = change;
      board.requireFresh(input.columnsRevision ?? null, board.state.columnsRevision, columnList(board));
      const moved = columnIds
        ? board.reorder(columnIds, 'id', 'columnIds')
        : board.reorder(input.order ?? [], 'slug', 'order');
      if (!moved) return;
      await this.changes.save(change, []);
      change.recordColumn('board.columns_reordered', board.state.id, { order: board.slugs });
    });
  }
}
