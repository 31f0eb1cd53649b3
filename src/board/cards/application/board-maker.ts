import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { BoardMaking } from '../../workflow/application/ports/board-on-first-use.js';
import { WorkflowTemplates } from '../../workflow/application/ports/workflow-templates.js';
import { Board, type Column } from '../domain/board.js';
import { BACKLOG_SLUG, slugOf } from '../domain/column-label.js';
import { WINDOW_DAYS } from '../domain/limits.js';
import { Boards } from './ports/boards.js';

/** Makes the board of a project: with the project, and on first use for projects that are older than boards. */
@Injectable()
export class BoardMaker implements BoardMaking {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly boards: Boards,
    private readonly templates: WorkflowTemplates,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Safe to repeat: a project keeps the board it has. @throws InvalidInput for an unknown template. */
  async make(actor: Actor, projectId: string, templateKey: string | null): Promise<void> {
    const start = this.templates.newBoard(templateKey);
    const column = (label: string, position: number, colour: string, terminal: boolean): Column => ({
      id: this.ids.next(),
      label,
      slug: slugOf(label),
      position,
      backlog: position === 0,
      terminal,
      colour,
      revision: 0,
      cards: 0,
    });
    const columns = start.columns.map(({ label, colour, terminal }, index) =>
      column(label, index + 1, colour, terminal),
    );
    const board = new Board(
      {
        id: this.ids.next(),
        projectId,
        revision: 0,
        columnsRevision: 0,
        nextCardNumber: 1,
        finishedWindowDays: WINDOW_DAYS.default,
        createdAt: this.clock.now(),
      },
      [{ ...column('Backlog', 0, 'slate', false), slug: BACKLOG_SLUG }, ...columns],
    );
    if (await this.boards.add(board))
      await this.templates.bind(
        actor,
        projectId,
        start,
        columns.map(({ id }) => id),
      );
  }

  async ensure(actor: Actor, projectId: string): Promise<void> {
    await this.read(actor, projectId);
  }

  /** The board under the lock of its row, in the running transaction. */
  async lock(actor: Actor, projectId: string): Promise<Board> {
    const board = await this.boards.lock(projectId);
    if (board) return board;
    await this.make(actor, projectId, null);
    return (await this.boards.lock(projectId))!;
  }

  /** The board for reading. */
  async read(actor: Actor, projectId: string): Promise<Board> {
    const board = await this.boards.read(projectId);
    if (board) return board;
    await this.unitOfWork.run(() => this.make(actor, projectId, null));
    return (await this.boards.read(projectId))!;
  }
}
