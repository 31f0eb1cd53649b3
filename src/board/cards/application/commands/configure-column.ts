import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { ColumnChanges } from '../column-changes.js';
import { columnList, namedColumn } from '../named-column.js';

export interface ConfigureColumnInput {
  readonly projectId: string;
  readonly slug?: Given<string>;
  readonly columnId?: Given<string>;
  readonly label?: Given<string>;
  readonly terminal?: Given<boolean>;
  readonly colour?: Given<string>;
  /** Revision of the column that a form was opened with. */
  readonly revision?: Given<number>;
}

/**
 * Renames a column, or makes it a finishing point or an open one; its cards follow.
 * @throws InvalidInput; DomainError `backlog`, `last_terminal`, `workflow_place`, `columns_changed`, `column_gone`.
 */
@Injectable()
export class ConfigureColumn {
  constructor(
    private readonly door: BoardDoor,
    private readonly changes: ColumnChanges,
  ) {}

  async execute(actor: Actor, input: ConfigureColumnInput): Promise<{ readonly columnId: string }> {
    const { projectId, label, terminal, colour } = input;
    const request = { projectId, level: 'administer', operation: 'board.column_updated' } as const;
    return this.door.change(actor, request, async (change) => {
      const { board, workflow } = change;
      const column = namedColumn(board, input);
      if (label == null && terminal == null && colour == null)
        throw new InvalidInput([{ argument: 'label', sentence: 'Pass label or terminal.' }]);
      board.requireFresh(input.revision ?? null, column.revision, columnList(board));
      const place = workflow.slotOfColumn(column.id) !== null;
      const { changed, oldSlug, wasTerminal } = board.configureColumn(
        column,
        { label, terminal, colour },
        place,
      );
      if (changed.length === 0) return { columnId: column.id };
      await this.changes.save(change, [column]);
      if (wasTerminal !== column.terminal) await this.changes.terminalChanged(change, column);
      if (oldSlug !== column.slug)
        change.event('ColumnRenamed', projectId, {
          columnId: column.id,
          oldSlug,
          newSlug: column.slug,
        });
      change.recordColumn('board.column_updated', column.id, { fields: changed, slug: column.slug });
      return { columnId: column.id };
    });
  }
}
