import type { BoardApi, BoardView } from '../api';
import { type Board, cellAt, extended, OTHER } from '../model/board-model';

/**
 * Reads the board anew without taking cards away from columns in which more was loaded: nobody who scrolled down a column
 * is thrown back to its first cards.
 */
export async function readAsDeep(
  api: Pick<BoardApi, 'board' | 'more'>,
  view: BoardView,
  before: Board | undefined,
  signal?: AbortSignal,
): Promise<Board> {
  let board = await api.board(view, signal);
  for (const { laneId, columnId, tiles } of before?.cells.values() ?? []) {
    for (;;) {
      const cell = cellAt(board, laneId, columnId);
      const last = cell.tiles.at(-1);
      if (!last || cell.tiles.length >= Math.min(tiles.length, cell.total)) break;
      const page = await api.more(view, {
        columnId,
        laneId: laneParameter(board, laneId),
        after: last.cardId,
        afterOrder: last.order,
      });
      const next = extended(board, laneId, columnId, page.tiles, page.total);
      if (cellAt(next, laneId, columnId).tiles.length === cell.tiles.length) break;
      board = next;
    }
  }
  return board;
}

/** How a lane is named to the server: the cards of no lane are `none`, and without lanes a cell is the whole column. */
export function laneParameter(board: Board, laneId: string): string | undefined {
  if (laneId !== OTHER) return laneId;
  return board.lanes.length > 0 ? 'none' : undefined;
}
