import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { WorkflowTemplates } from '../../../workflow/application/ports/workflow-templates.js';
import type { Board, Column } from '../../domain/board.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { unknownColumn } from '../card-checks.js';
import { ColumnChanges } from '../column-changes.js';
import { namedColumn } from '../named-column.js';
import { Boards } from '../ports/boards.js';
import { Cards } from '../ports/cards.js';

export interface DeleteColumnInput {
  readonly projectId: string;
  readonly slug?: Given<string>;
  readonly columnId?: Given<string>;
  readonly targetColumn?: Given<string>;
  readonly targetColumnId?: Given<string>;
}

export interface DeletedColumn {
  readonly deleted: string;
  readonly movedCards: number;
}

/** Deletes a column; another one takes its cards, whose holds end. @throws InvalidInput; DomainError `backlog`, `last_terminal`. */
@Injectable()
export class DeleteColumn {
  constructor(
    private readonly door: BoardDoor,
    private readonly boards: Boards,
    private readonly cards: Cards,
    private readonly templates: WorkflowTemplates,
    private readonly changes: ColumnChanges,
  ) {}

  async execute(actor: Actor, input: DeleteColumnInput): Promise<DeletedColumn> {
    const { projectId } = input;
    const request = { projectId, level: 'administer', operation: 'board.column_deleted' } as const;
    return this.door.change(actor, request, async (change) => {
      const { board } = change;
      const column = namedColumn(board, input);
      const target = readTarget(board, column, input);
      const ids = await this.cards.idsOfColumn(column.id);
      board.removeColumn(column);
      if (ids.length > 0 && !target)
        throw new InvalidInput([
          {
            argument: input.columnId == null ? 'targetColumn' : 'targetColumnId',
            sentence: `Column "${column.slug}" holds ${ids.length} ${ids.length === 1 ? 'card' : 'cards'}. Name the column that takes them.`,
          },
        ]);
      const movedCards = target ? await this.changes.empty(change, column, target) : 0;
      const slot = await this.templates.columnDeleted(projectId, column.id);
      await this.boards.deleteColumn(column.id);
      await this.changes.save(change, []);
      this.changes.deleted(change, column, slot, target, ids);
      change.recordColumn('board.column_deleted', column.id, { slug: column.slug, movedCards });
      return { deleted: column.slug, movedCards };
    });
  }
}

function readTarget(board: Board, column: Column, input: DeleteColumnInput): Column | null {
  const refuse = (argument: string, sentence: string) => new InvalidInput([{ argument, sentence }]);
  const { targetColumn, targetColumnId } = input;
  if (targetColumnId != null) {
    const target = board.columnById(targetColumnId);
    if (!target)
      throw refuse('targetColumnId', 'That column no longer exists on this board. Name another column.');
    if (target === column)
      throw refuse('targetColumnId', 'Name another column than the one that is deleted.');
    return target;
  }
  if (targetColumn == null) return null;
  const target = board.columnBySlug(targetColumn);
  if (!target) throw refuse('targetColumn', unknownColumn('column', targetColumn, board));
  if (target === column) throw refuse('targetColumn', 'Name another column than the one that is deleted.');
  return target;
}
