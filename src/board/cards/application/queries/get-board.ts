import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { Database } from '#libs/persistence/database.js';
import { columnAnswer } from '../named-column.js';
import { BoardCells, type BoardFilter, type Cell, type CellRequest, NO_FILTER } from './board-cells.js';
import { BoardView } from './board-view.js';
import { TileReader } from './tile-reader.js';

export interface GetBoardInput {
  readonly projectId: string;
  /** Cards of a column, or of the part of it in a lane, at first; 1 to 100, default 50. */
  readonly perColumn?: number | null;
  /** Days for which finished cards are shown, instead of the setting of the board. */
  readonly window?: number | null;
  readonly lanes?: boolean;
  readonly filter?: BoardFilter;
}

const PER_COLUMN = { max: 100, default: 50 };
/** At first a lane shows no more of a column than this; a deck fans out five. */
const PER_LANE_CELL = 10;
const DECK = 5;

/** The board page: columns, lanes, and the first tiles of each, without texts. */
@Injectable()
export class GetBoard {
  constructor(
    private readonly view: BoardView,
    private readonly access: ProjectAccess,
    private readonly projects: ProjectDirectory,
    private readonly cells: BoardCells,
    private readonly tiles: TileReader,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: GetBoardInput) {
    const { projectId } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const filter = input.filter ?? NO_FILTER;
    const perColumn = Math.min(Math.max(input.perColumn ?? PER_COLUMN.default, 1), PER_COLUMN.max);
    const lanes = input.lanes === false ? [] : await this.view.lanes(projectId, workflow);
    const columns = board.columns
      .filter((column) => !column.backlog)
      .map((column) => this.view.shown(board, column, input.window ?? null));
    const request: CellRequest = { projectId, columns, lanes, filter };
    const totals = await this.cells.totals(request);
    const plain = lanes.length === 0 && filter === NO_FILTER;
    const ids = plain
      ? await this.cells.firstOfColumns(request, perColumn)
      : await this.cells.first(request, perColumn);
    const deck = await this.deck(projectId, board.backlog.id, lanes);
    const drawn = await this.tiles.tiles(projectId, [...lanes, ...ids, ...deck.ids], workflow);
    const heads = new Map(drawn.slice(0, lanes.length).map((tile) => [tile.cardId, tile]));
    const isHead = new Set(lanes);
    const kept = new Map<string, number>();
    const tiles = drawn.filter((tile) => {
      if (isHead.has(tile.cardId)) return false;
      if (tile.parentCardId === null || !isHead.has(tile.parentCardId)) return true;
      const cell = `${tile.columnId} ${tile.parentCardId}`;
      const count = (kept.get(cell) ?? 0) + 1;
      kept.set(cell, count);
      return count <= PER_LANE_CELL;
    });
    const cellsOf = (laneId: string): Cell[] =>
      [...totals, ...deck.totals].filter((cell) => cell.laneId === laneId);
    const project = (await this.projects.byIds([projectId])).get(projectId);
    return {
      project: { id: projectId, slug: project?.slug ?? '' },
      revision: board.state.revision,
      columnsRevision: board.state.columnsRevision,
      finishedWindowDays: board.state.finishedWindowDays,
      level: (await this.access.levelOf(actor, projectId)) ?? 'read',
      totals: await this.totals(
        projectId,
        board.columns.filter((column) => !column.terminal).map((column) => column.cards),
        board.backlog.cards,
      ),
      types: workflow.types,
      defaultType: workflow.defaultType,
      workflowOn: workflow.isOn,
      columns: board.columns.map((column) => ({
        ...columnAnswer(column),
        total: column.backlog
          ? column.cards
          : (totals.find((cell) => cell.columnId === column.id && cell.laneId === null)?.total ?? 0),
      })),
      lanes: lanes.flatMap((id) => {
        const head = heads.get(id);
        if (!head) return [];
        const cells = cellsOf(id).map(({ columnId, total }) => ({ columnId, total }));
        return [{ ...head, cells }];
      }),
      tiles,
    };
  }

  /** The children of lanes that wait in Backlog, the first few of each. */
  private async deck(
    projectId: string,
    backlogId: string,
    lanes: readonly string[],
  ): Promise<{ readonly ids: string[]; readonly totals: Cell[] }> {
    if (lanes.length === 0) return { ids: [], totals: [] };
    const rows = await this.database.query<{ laneId: string; id: string; n: number; total: number }>(
      `SELECT * FROM (
         SELECT parent_card_id AS "laneId", id, rank,
                row_number() OVER (PARTITION BY parent_card_id ORDER BY rank)::int AS n,
                count(*) OVER (PARTITION BY parent_card_id)::int AS total
           FROM board.card WHERE project_id = $1 AND parent_card_id = ANY($2::uuid[]) AND column_id = $3) d
        WHERE n <= ${DECK} ORDER BY "laneId", n`,
      [projectId, lanes, backlogId],
    );
    return {
      ids: rows.map((row) => row.id),
      totals: rows
        .filter((row) => row.n === 1)
        .map(({ laneId, total }) => ({ laneId, columnId: backlogId, total })),
    };
  }

  private async totals(projectId: string, open: readonly number[], backlog: number) {
    const rows = await this.database.query<{ kind: string; n: number }>(
      'SELECT kind, count(*)::int AS n FROM board.card_state WHERE project_id = $1 GROUP BY kind',
      [projectId],
    );
    const count = (kind: string) => rows.find((row) => row.kind === kind)?.n ?? 0;
    return {
      open: open.reduce((sum, cards) => sum + cards, 0),
      backlog,
      stuck: count('stuck'),
      needsYou: count('needs-you'),
      working: count('working'),
      waiting: count('waiting'),
    };
  }
}
