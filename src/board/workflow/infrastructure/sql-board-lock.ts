import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { BoardLock } from '../application/ports/board-lock.js';

/** The row that every change of cards and columns locks first. */
@Injectable()
export class SqlBoardLock extends BoardLock {
  constructor(private readonly database: Database) {
    super();
  }

  override async lock(projectId: string): Promise<void> {
    this.database.requireTransaction();
    await this.database.query('SELECT 1 FROM board.board WHERE project_id = $1 FOR UPDATE', [projectId]);
  }
}
