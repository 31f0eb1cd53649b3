import type { MoveOrder } from '../data/moves';
import { type Board, between, cellAt, columnOf, findTile, laneOf, OTHER, typeOf } from './board-model';

/** Where a dragged card would land. */
export type DropPlace =
  | { readonly kind: 'cell'; readonly laneId: string; readonly columnId: string; readonly index: number }
  | { readonly kind: 'backlog' };

export type Rank = 'top' | 'up' | 'down' | 'end';

/** The move for a drop, or null when nothing changes or the card cannot stand there. */
export function orderForDrop(board: Board, cardId: string, place: DropPlace): MoveOrder | null {
  const tile = findTile(board, cardId);
  if (!tile) return null;
  if (place.kind === 'backlog') {
    const backlog = board.columns.find((column) => column.backlog);
    if (!backlog || tile.columnId === backlog.columnId) return null;
    return {
      cardId,
      number: tile.number,
      fromColumnId: tile.columnId,
      columnId: backlog.columnId,
      order: null,
      label: backlog.label,
    };
  }
  const column = columnOf(board, place.columnId);
  if (!column) return null;
  const own = laneOf(board, tile);
  if (place.laneId !== OTHER && typeOf(board, tile.type).children) return null;
  const parent = place.laneId === own ? {} : { parentCardId: place.laneId === OTHER ? null : place.laneId };
  const cell = cellAt(board, place.laneId, place.columnId);
  const others = cell.tiles.filter((each) => each.cardId !== cardId);
  const index = Math.min(place.index, others.length);
  const stays = tile.columnId === place.columnId && place.laneId === own;
  if (stays && (column.terminal || cell.tiles.findIndex((each) => each.cardId === cardId) === index))
    return null;
  const neighbour = column.terminal
    ? {}
    : index > 0
      ? { afterCardId: others[index - 1]?.cardId }
      : others[0]
        ? { beforeCardId: others[0].cardId }
        : {};
  return {
    cardId,
    number: tile.number,
    fromColumnId: tile.columnId,
    columnId: place.columnId,
    order: between(others[index - 1], others[index]),
    label: column.label,
    ...parent,
    ...neighbour,
  };
}

/** The move for a choice of the menu, or null when the card is there already. */
export function orderForChoice(board: Board, cardId: string, columnId: string, rank: Rank): MoveOrder | null {
  const tile = findTile(board, cardId);
  const column = columnOf(board, columnId);
  if (!tile || !column) return null;
  const base = {
    cardId,
    number: tile.number,
    fromColumnId: tile.columnId,
    columnId,
    label: column.label,
  };
  const { tiles } = cellAt(board, laneOf(board, tile), columnId);
  const first = tiles[0];
  if (tile.columnId !== columnId) {
    if (rank !== 'top' || column.terminal) return { ...base, order: null };
    return { ...base, order: between(undefined, first), position: 0 };
  }
  if (column.terminal) return null;
  const at = tiles.findIndex((each) => each.cardId === cardId);
  const [before, after] = [tiles[at - 1], tiles[at + 1]];
  if (rank === 'up') {
    return before ? { ...base, order: between(tiles[at - 2], before), beforeCardId: before.cardId } : null;
  }
  if (rank === 'down') {
    return after ? { ...base, order: between(after, tiles[at + 2]), afterCardId: after.cardId } : null;
  }
  if (rank === 'top') return before ? { ...base, order: between(undefined, first), position: 0 } : null;
  return { ...base, order: null, position: Math.max(0, column.cards - 1) };
}

/** Among boxes that lie below one another, how many have their middle above `y`. */
export function indexAt(
  boxes: readonly { readonly top: number; readonly bottom: number }[],
  y: number,
): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = boxes[middle]!;
    if ((box.top + box.bottom) / 2 < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How fast to scroll, in px a frame, when the pointer is `at` between two edges; 0 away from them. */
export function scrollSpeed(at: number, start: number, end: number): number {
  const zone = Math.min(64, (end - start) / 4);
  if (at < start + zone) return -Math.ceil(((start + zone - at) / zone) * 14);
  if (at > end - zone) return Math.ceil(((at - end + zone) / zone) * 14);
  return 0;
}
