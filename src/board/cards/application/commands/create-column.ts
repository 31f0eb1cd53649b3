import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Ids } from '#libs/kernel/ids.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { ColumnChanges } from '../column-changes.js';

/** Appends a column. @throws InvalidInput `label`, `colour`; DomainError `column_limit`. */
@Injectable()
export class CreateColumn {
  constructor(
    private readonly door: BoardDoor,
    private readonly changes: ColumnChanges,
    private readonly ids: Ids,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly label?: Given<string>; readonly colour?: Given<string> },
  ): Promise<{ readonly columnId: string }> {
    const { projectId } = input;
    const request = { projectId, level: 'administer', operation: 'board.column_created' } as const;
    return this.door.change(actor, request, async (change) => {
      const id = this.ids.next();
      // The tail of an id is random, and tests fix it.
      const random = Number.parseInt(id.slice(-6), 16) / 0x1000000;
      const column = change.board.addColumn(id, input.label ?? '', input.colour ?? null, random);
      await this.changes.save(change, []);
      change.recordColumn('board.column_created', column.id, { slug: column.slug });
      return { columnId: column.id };
    });
  }
}
