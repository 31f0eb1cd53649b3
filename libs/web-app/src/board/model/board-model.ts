import type { BoardAnswer, BoardTotals, CardType, Column, Tile } from '../types';

/** The lane of cards that belong to no lane; without lanes it holds all. */
export const OTHER = '';

/** The cards of one column in one lane, in the order they are read; the first `tiles.length` of `total`. */
export interface Cell {
  readonly laneId: string;
  readonly columnId: string;
  readonly tiles: readonly Tile[];
  readonly total: number;
}

export interface Board {
  readonly revision: number;
  readonly columnsRevision: number;
  readonly finishedWindowDays: number;
  readonly columns: readonly Column[];
  readonly types: readonly CardType[];
  readonly defaultType: string;
  readonly totals: BoardTotals;
  /** The epics with a lane, in the order of their lanes; empty when the cards stand in plain columns. */
  readonly lanes: readonly Tile[];
  readonly cells: ReadonlyMap<string, Cell>;
}

export interface MoveWish {
  readonly cardId: string;
  readonly columnId: string;
  /** Where it comes among the others of its column, or null for the end. Only a guess until the server answers. */
  readonly order: number | null;
  /** Another parent, or null for none; left out, the parent stays. */
  readonly parentCardId?: string | null;
}

const NO_FACTS = {
  order: 0,
  reporter: 'human',
  completedAt: null,
  createdAt: '',
  updatedAt: '',
  parentCardId: null,
  parentNumber: null,
  parentTitle: null,
  laneEnabled: true,
  state: null,
  held: false,
  paused: false,
  chips: [],
  pullRequests: 0,
  documents: 0,
  feedbackPending: 0,
  blockedBy: [],
} as const;

/** Sorts what the server sent into lanes and cells. */
export function boardOf(answer: BoardAnswer): Board {
  const lanes = answer.lanes.map(({ cells: _, ...lane }): Tile => ({ ...NO_FACTS, ...lane }));
  const cells = new Map<string, Cell>();
  const open = (laneId: string, columnId: string, total: number) =>
    cells.set(cellKey(laneId, columnId), { laneId, columnId, tiles: [], total });
  for (const column of answer.columns) open(OTHER, column.columnId, column.total);
  for (const lane of answer.lanes) {
    for (const { columnId, total } of lane.cells) open(lane.cardId, columnId, total);
  }
  const board: Board = { ...answer, lanes, cells };
  const sorted = new Map<string, Tile[]>();
  for (const tile of answer.tiles) {
    const key = cellKey(laneOf(board, tile), tile.columnId);
    const list = sorted.get(key);
    if (list) list.push(tile);
    else sorted.set(key, [tile]);
  }
  for (const [key, tiles] of sorted) {
    const [first] = tiles;
    if (!first) continue;
    const cell = cells.get(key) ?? {
      laneId: laneOf(board, first),
      columnId: first.columnId,
      tiles: [],
      total: 0,
    };
    cells.set(key, { ...cell, tiles, total: Math.max(cell.total, tiles.length) });
  }
  return board;
}

export function cellKey(laneId: string, columnId: string): string {
  return `${laneId}/${columnId}`;
}

export function columnOf(board: Board, columnId: string): Column | undefined {
  return board.columns.find((column) => column.columnId === columnId);
}

export function typeOf(board: Pick<Board, 'types'>, key: string): CardType {
  return (
    board.types.find((type) => type.key === key) ?? {
      key,
      label: key,
      colour: 'slate',
      children: false,
      lane: false,
    }
  );
}

export function findTile(board: Board, cardId: string): Tile | undefined {
  const lane = board.lanes.find((tile) => tile.cardId === cardId);
  if (lane) return lane;
  for (const cell of board.cells.values()) {
    const found = cell.tiles.find((tile) => tile.cardId === cardId);
    if (found) return found;
  }
  return undefined;
}

/** The lane in which a card stands. */
export function laneOf(board: Board, tile: Tile): string {
  const parent = tile.parentCardId;
  return parent !== null && board.lanes.some((lane) => lane.cardId === parent) ? parent : OTHER;
}

export function cellAt(board: Board, laneId: string, columnId: string): Cell {
  return board.cells.get(cellKey(laneId, columnId)) ?? { laneId, columnId, tiles: [], total: 0 };
}

/** Takes a card out. */
export function withoutCard(board: Board, cardId: string): Board {
  const tile = findTile(board, cardId);
  if (!tile) return board;
  if (board.lanes.includes(tile)) {
    return { ...board, lanes: board.lanes.filter((lane) => lane !== tile) };
  }
  const key = cellKey(laneOf(board, tile), tile.columnId);
  const cell = board.cells.get(key);
  if (!cell) return board;
  const tiles = cell.tiles.filter((each) => each.cardId !== cardId);
  return {
    ...board,
    cells: new Map(board.cells).set(key, { ...cell, tiles, total: Math.max(cell.total - 1, tiles.length) }),
    ...tallied(board, tile, -1),
  };
}

/** Puts a card in at its place; a place behind the loaded part of a cell only counts. */
export function withCard(board: Board, tile: Tile): Board {
  const laneId = laneOf(board, tile);
  const key = cellKey(laneId, tile.columnId);
  const cell = cellAt(board, laneId, tile.columnId);
  const found = cell.tiles.findIndex((other) => comesBefore(tile, other));
  const index = found === -1 ? cell.tiles.length : found;
  const hidden = index === cell.tiles.length && cell.tiles.length < cell.total;
  return {
    ...board,
    cells: new Map(board.cells).set(key, {
      ...cell,
      tiles: hidden ? cell.tiles : [...cell.tiles.slice(0, index), tile, ...cell.tiles.slice(index)],
      total: cell.total + 1,
    }),
    ...tallied(board, tile, 1),
  };
}

/** The board as it will be when the server agrees. `now` is the time it would stamp. */
export function moved(board: Board, wish: MoveWish, now: string): Board {
  const tile = findTile(board, wish.cardId);
  const target = columnOf(board, wish.columnId);
  if (!tile || !target) return board;
  if (board.lanes.includes(tile)) {
    return {
      ...board,
      lanes: board.lanes.map((lane) => (lane === tile ? { ...tile, columnId: target.columnId } : lane)),
    };
  }
  const taken = withoutCard(board, tile.cardId);
  const parentCardId = wish.parentCardId === undefined ? tile.parentCardId : wish.parentCardId;
  const parent = parentCardId === tile.parentCardId ? null : findTile(board, parentCardId ?? '');
  const { parentNumber, parentTitle } =
    parentCardId === tile.parentCardId
      ? tile
      : { parentNumber: parent?.number ?? null, parentTitle: parent?.title ?? null };
  const placed = withCard(taken, {
    ...tile,
    columnId: target.columnId,
    parentCardId,
    parentNumber,
    parentTitle,
    completedAt: target.terminal ? (tile.completedAt ?? now) : null,
    state: target.terminal ? null : tile.state,
    // Finished cards stand newest first.
    order: target.terminal ? -Date.parse(tile.completedAt ?? now) : (wish.order ?? Number.POSITIVE_INFINITY),
  });
  const was = isTerminal(board, tile.columnId);
  return progressed(
    progressed(placed, tile.parentCardId, -1, was ? -1 : 0),
    parentCardId,
    1,
    target.terminal ? 1 : 0,
  );
}

export interface Fresh {
  readonly tiles: readonly Tile[];
  /** Deleted, or no longer drawn on the board. */
  readonly gone: readonly string[];
}

/** Takes over what the server says of some cards. Each card stands in one place afterwards, whatever came before. */
export function merged(board: Board, fresh: Fresh, now: string): Board {
  let next = board;
  // Two answers may overtake each other; the older one is no news.
  const tiles = fresh.tiles.filter((tile) => tile.revision >= (findTile(board, tile.cardId)?.revision ?? 0));
  for (const cardId of [...fresh.gone, ...tiles.map((tile) => tile.cardId)]) {
    const lane = next.lanes.find((tile) => tile.cardId === cardId);
    if (!lane) next = withoutCard(next, cardId);
  }
  for (const tile of tiles) {
    if (next.lanes.some((lane) => lane.cardId === tile.cardId)) {
      next = withLane(next, tile);
    } else if (isDrawn(next, tile, now)) {
      next = withCard(next, tile);
    }
  }
  return next;
}

function withLane(board: Board, tile: Tile): Board {
  const old = board.lanes.find((lane) => lane.cardId === tile.cardId);
  if (!old) return board;
  const left = { ...board, ...tallied(board, old, -1) };
  return {
    ...left,
    ...tallied(left, tile, 1),
    lanes: board.lanes.map((lane) => (lane === old ? tile : lane)),
  };
}

/** Whether lanes came, went or changed place, so that the board must be read anew. */
export function changesLanes(board: Board, fresh: Fresh, grouped: boolean): boolean {
  if (!grouped) return false;
  if (fresh.gone.some((id) => board.lanes.some((lane) => lane.cardId === id))) return true;
  return fresh.tiles.some((tile) => {
    const lane = board.lanes.find((each) => each.cardId === tile.cardId);
    const wants = typeOf(board, tile.type).lane && tile.laneEnabled && !isTerminal(board, tile.columnId);
    return wants !== (lane !== undefined) || (lane !== undefined && lane.columnId !== tile.columnId);
  });
}

/** Adds what was loaded further down a cell. What is there already stays where it is. */
export function extended(
  board: Board,
  laneId: string,
  columnId: string,
  tiles: readonly Tile[],
  total: number,
): Board {
  const key = cellKey(laneId, columnId);
  const cell = cellAt(board, laneId, columnId);
  const known = new Set<string>();
  for (const each of board.cells.values()) for (const tile of each.tiles) known.add(tile.cardId);
  const added = tiles.filter((tile) => !known.has(tile.cardId));
  const all = [...cell.tiles, ...added].sort((a, b) => (comesBefore(a, b) ? -1 : 1));
  return {
    ...board,
    cells: new Map(board.cells).set(key, { ...cell, tiles: all, total: Math.max(total, all.length) }),
  };
}

/** A number between two neighbours, of which either may be missing. */
export function between(before: Tile | undefined, after: Tile | undefined): number | null {
  if (before && after) return (before.order + after.order) / 2;
  if (after) return after.order - 1;
  return before ? before.order + 1 : null;
}

function isTerminal(board: Board, columnId: string): boolean {
  return columnOf(board, columnId)?.terminal ?? false;
}

const DAY_MS = 86_400_000;

function isDrawn(board: Board, tile: Tile, now: string): boolean {
  const column = columnOf(board, tile.columnId);
  if (!column) return false;
  if (column.backlog && board.lanes.length === 0) return false;
  if (!column.terminal || tile.completedAt === null) return true;
  return Date.parse(now) - Date.parse(tile.completedAt) < board.finishedWindowDays * DAY_MS;
}

function comesBefore(tile: Tile, other: Tile): boolean {
  return tile.order === other.order ? tile.cardId < other.cardId : tile.order < other.order;
}

const COUNT_OF = {
  stuck: 'stuck',
  'needs-you': 'needsYou',
  working: 'working',
  waiting: 'waiting',
} as const;

/** The counts of columns and of the head of the page with one card more or less. */
function tallied(board: Board, tile: Tile, by: 1 | -1): Pick<Board, 'columns' | 'totals'> {
  const column = columnOf(board, tile.columnId);
  const totals: Record<keyof BoardTotals, number> = { ...board.totals };
  const add = (name: keyof BoardTotals) => {
    totals[name] = Math.max(0, totals[name] + by);
  };
  if (column?.backlog) add('backlog');
  else if (column && !column.terminal) {
    add('open');
    if (tile.state) add(COUNT_OF[tile.state.kind]);
  }
  return {
    totals,
    columns: board.columns.map((each) =>
      each === column ? { ...each, cards: Math.max(0, each.cards + by) } : each,
    ),
  };
}

function progressed(board: Board, epicId: string | null, total: number, done: number): Board {
  if (epicId === null) return board;
  const change = (tile: Tile): Tile =>
    tile.cardId === epicId && tile.progress
      ? {
          ...tile,
          progress: { done: tile.progress.done + done, total: tile.progress.total + total },
        }
      : tile;
  if (board.lanes.some((lane) => lane.cardId === epicId)) {
    return { ...board, lanes: board.lanes.map(change) };
  }
  const found = findTile(board, epicId);
  if (!found) return board;
  const key = cellKey(laneOf(board, found), found.columnId);
  const cell = board.cells.get(key);
  if (!cell) return board;
  return { ...board, cells: new Map(board.cells).set(key, { ...cell, tiles: cell.tiles.map(change) }) };
}

/**
 * Takes over how many cards stand in each column, for cards that are not loaded. `total` counts those that belong on the
 * page; without it that is all of a column, unless it is one of finished cards.
 */
export function recounted(
  board: Board,
  columns: readonly { readonly columnId: string; readonly cards: number; readonly total?: number }[],
  totals: BoardTotals = board.totals,
): Board {
  const counts = new Map(columns.map((column) => [column.columnId, column.cards]));
  const cells = new Map(board.cells);
  for (const { columnId, cards, total } of board.lanes.length === 0 ? columns : []) {
    const key = cellKey(OTHER, columnId);
    const cell = cells.get(key);
    const count = total ?? (isTerminal(board, columnId) ? undefined : cards);
    if (cell && count !== undefined && cell.total !== count) {
      cells.set(key, { ...cell, total: Math.max(count, cell.tiles.length) });
    }
  }
  return {
    ...board,
    cells,
    totals,
    columns: board.columns.map((column) => ({
      ...column,
      cards: counts.get(column.columnId) ?? column.cards,
    })),
  };
}

/** Takes over the progress of epics. */
export function withProgress(
  board: Board,
  lanes: readonly { readonly cardId: string; readonly progress: Tile['progress'] }[],
): Board {
  if (lanes.length === 0) return board;
  return {
    ...board,
    lanes: board.lanes.map((tile) => {
      const fresh = lanes.find((lane) => lane.cardId === tile.cardId);
      return fresh ? { ...tile, progress: fresh.progress } : tile;
    }),
  };
}
