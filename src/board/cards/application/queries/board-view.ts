import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import {
  type BoardWorkflow,
  WorkflowTemplates,
} from '../../../workflow/application/ports/workflow-templates.js';
import type { Board, Column } from '../../domain/board.js';
import { WINDOW_DAYS } from '../../domain/limits.js';
import { BoardMaker } from '../board-maker.js';
import { ANY_RANK, type ShownColumn } from './board-cells.js';

const DAY = 86_400_000;
/** More lanes than this are not drawn as lanes; their epics stay tiles. */
const LANES = 100;

/** What every read of the board begins with: access, columns, types. */
@Injectable()
export class BoardView {
  constructor(
    private readonly access: ProjectAccess,
    private readonly maker: BoardMaker,
    private readonly templates: WorkflowTemplates,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async open(
    actor: Actor,
    projectId: string,
  ): Promise<{ readonly board: Board; readonly workflow: BoardWorkflow }> {
    await this.access.require(actor, projectId, 'read');
    const board = await this.maker.read(actor, projectId);
    return { board, workflow: await this.templates.of(projectId) };
  }

  /** How much of a column the board shows: of a terminal one what was finished in the last days. */
  shown(board: Board, column: Column, window: number | null): ShownColumn {
    if (!column.terminal) return { id: column.id, maxRank: ANY_RANK };
    const { min, max } = WINDOW_DAYS;
    const days = Math.min(Math.max(window ?? board.state.finishedWindowDays, min), max);
    return { id: column.id, maxRank: -(this.clock.now().getTime() - days * DAY) };
  }

  /** Ids of the open epics that are drawn as lanes, by column, then rank. */
  async lanes(projectId: string, workflow: BoardWorkflow): Promise<string[]> {
    const types = workflow.types.filter((type) => type.lane).map((type) => type.key);
    if (types.length === 0) return [];
    const rows = await this.database.query<{ id: string }>(
      `SELECT c.id FROM board.card c JOIN board.board_column k ON k.id = c.column_id
        WHERE c.project_id = $1 AND c.type = ANY($2::text[]) AND c.completed_at IS NULL AND c.lane_enabled
        ORDER BY k.position, c.rank, c.id LIMIT ${LANES}`,
      [projectId, types],
    );
    return rows.map((row) => row.id);
  }
}
