import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { columnGone } from '../../domain/refusals.js';
import { BoardCells, type BoardFilter } from './board-cells.js';
import { BoardView } from './board-view.js';
import { TileReader } from './tile-reader.js';

export interface GetTilesInput {
  readonly projectId: string;
  readonly columnId: string;
  /** An epic, null for cards in no lane, undefined for the whole column. */
  readonly laneId: string | null | undefined;
  readonly afterCardId: string | null;
  /** `order` of that tile when the page got it. */
  readonly afterOrder?: number | null;
  readonly offset: number;
  readonly limit: number;
  readonly window?: number | null;
  readonly filter: BoardFilter;
}

const AT_ONCE = 100;

/** More tiles of a column or lane, and tiles by their ids. */
@Injectable()
export class GetTiles {
  constructor(
    private readonly view: BoardView,
    private readonly cells: BoardCells,
    private readonly tiles: TileReader,
  ) {}

  /** @throws DomainError `column_gone`. */
  async execute(actor: Actor, input: GetTilesInput) {
    const { projectId, laneId } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const column = board.columnById(input.columnId);
    if (!column) throw columnGone('columnId');
    const slice = {
      laneId,
      afterCardId: input.afterCardId,
      afterOrder: input.afterOrder ?? null,
      offset: Math.max(input.offset, 0),
      limit: Math.min(Math.max(input.limit, 1), AT_ONCE),
    };
    const request = {
      projectId,
      columns: [this.view.shown(board, column, input.window ?? null)],
      lanes: laneId === undefined ? [] : await this.view.lanes(projectId, workflow),
      filter: input.filter,
    };
    const { ids, total, hasMore } = await this.cells.after(request, slice);
    return {
      revision: board.state.revision,
      total,
      hasMore,
      tiles: await this.tiles.tiles(projectId, ids, workflow),
    };
  }

  async byIds(actor: Actor, input: { readonly projectId: string; readonly ids: readonly string[] }) {
    const { projectId } = input;
    const { board, workflow } = await this.view.open(actor, projectId);
    const ids = [...new Set(input.ids.map((id) => id.toLowerCase()))].slice(0, AT_ONCE);
    const tiles = await this.tiles.tiles(projectId, ids.filter(isUuid), workflow);
    const found = new Set(tiles.map((tile) => tile.cardId));
    return { revision: board.state.revision, tiles, missing: ids.filter((id) => !found.has(id)) };
  }
}
