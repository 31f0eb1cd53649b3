import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';

/** A column of a board with the slot that it is the place of. */
export interface ColumnWithSlot {
  readonly columnId: string;
  readonly slug: string;
  readonly label: string;
  readonly colour: string;
  readonly slot: string | null;
  readonly backlog: boolean;
  readonly terminal: boolean;
}

/** Reads the columns of a board as its workflow sees them. */
@Injectable()
export class BoardColumns {
  constructor(private readonly database: Database) {}

  /** In board order, Backlog first. */
  async of(projectId: string): Promise<ColumnWithSlot[]> {
    return this.database.query<ColumnWithSlot>(
      `SELECT c.id AS "columnId", c.slug, c.label, c.colour, s.slot_key AS slot, c.backlog, c.terminal
       FROM board.board_column c LEFT JOIN board.project_slot s ON s.column_id = c.id
       WHERE c.project_id = $1 ORDER BY c.position`,
      [projectId],
    );
  }
}
