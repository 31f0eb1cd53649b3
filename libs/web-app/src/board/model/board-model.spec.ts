import fc from 'fast-check';
import type { Column, Tile } from '../types';
import {
  type Board,
  between,
  boardOf,
  cellAt,
  changesLanes,
  extended,
  findTile,
  merged,
  moved,
  OTHER,
  withCard,
  withoutCard,
} from './board-model';

const NOW = '2026-11-30T12:00:00.000Z';

function column(columnId: string, more: Partial<Column> = {}): Column {
  return {
    columnId,
    slug: columnId,
    label: columnId,
    colour: 'slate',
    terminal: columnId === 'done',
    backlog: columnId === 'backlog',
    default: columnId === 'backlog',
    cards: 0,
    revision: 1,
    ...more,
  };
}

function card(cardId: string, columnId: string, order: number, more: Partial<Tile> = {}): Tile {
  return {
    cardId,
    number: Number(cardId.replace(/\D/g, '')) || 1,
    title: cardId,
    type: 'feature',
    columnId,
    order,
    reporter: 'human',
    completedAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    revision: 1,
    parentCardId: null,
    parentNumber: null,
    parentTitle: null,
    laneEnabled: true,
    progress: null,
    state: null,
    held: false,
    paused: false,
    chips: [],
    pullRequests: 0,
    documents: 0,
    feedbackPending: 0,
    blockedBy: [],
    ...more,
  };
}

function board(
  tiles: readonly Tile[],
  more: { totals?: Record<string, number>; lanes?: readonly Tile[] } = {},
): Board {
  const count = (id: string) => more.totals?.[id] ?? tiles.filter((tile) => tile.columnId === id).length;
  return boardOf({
    revision: 1,
    columnsRevision: 1,
    finishedWindowDays: 3,
    totals: { open: 0, backlog: 0, stuck: 0, needsYou: 0, working: 0, waiting: 0 },
    types: [
      { key: 'feature', label: 'Feature', colour: 'green', children: false, lane: false },
      { key: 'epic', label: 'Epic', colour: 'indigo', children: true, lane: true },
    ],
    defaultType: 'feature',
    workflowOn: false,
    columns: ['backlog', 'next', 'doing', 'done'].map((id) => ({
      ...column(id, { cards: count(id) }),
      total: count(id),
    })),
    lanes: (more.lanes ?? []).map((lane) => ({ ...lane, cells: [] })),
    tiles,
  });
}

const order = (of: Board, columnId: string, laneId = OTHER) =>
  cellAt(of, laneId, columnId).tiles.map((tile) => tile.cardId);

describe('the board on the page', () => {
  const four = board(['a1', 'b2', 'c3', 'd4'].map((id, at) => card(id, 'next', at)));

  it('moves a card within its column', () => {
    const next = moved(four, { cardId: 'd4', columnId: 'next', order: 0.5 }, NOW);
    expect(order(next, 'next')).toEqual(['a1', 'd4', 'b2', 'c3']);
    expect(cellAt(next, OTHER, 'next').total).toBe(4);
  });

  it('moves a card to the end of another column when no place is named, and counts both', () => {
    const next = moved(four, { cardId: 'b2', columnId: 'doing', order: null }, NOW);
    expect(order(next, 'next')).toEqual(['a1', 'c3', 'd4']);
    expect(order(next, 'doing')).toEqual(['b2']);
    expect(next.columns.map((each) => each.cards)).toEqual([0, 3, 1, 0]);
  });

  it('stamps the completion of a card that is finished, and takes it away again', () => {
    const done = moved(four, { cardId: 'a1', columnId: 'done', order: null }, NOW);
    expect(findTile(done, 'a1')).toMatchObject({ completedAt: NOW, state: null });
    const back = moved(done, { cardId: 'a1', columnId: 'next', order: 0 }, NOW);
    expect(findTile(back, 'a1')?.completedAt).toBeNull();
    expect(order(back, 'next')).toEqual(['a1', 'b2', 'c3', 'd4']);
  });

  it('reads finished cards newest first', () => {
    const done = board([
      card('a1', 'done', -Date.parse('2026-11-30T10:00:00.000Z'), {
        completedAt: '2026-11-30T10:00:00.000Z',
      }),
      card('b2', 'next', 0),
    ]);
    expect(order(moved(done, { cardId: 'b2', columnId: 'done', order: null }, NOW), 'done')).toEqual([
      'b2',
      'a1',
    ]);
  });

  it('counts a card that lands behind the loaded part, and does not show it out of its place', () => {
    const long = board([card('a1', 'next', 0), card('b2', 'doing', 0)], { totals: { next: 200 } });
    const next = moved(long, { cardId: 'b2', columnId: 'next', order: null }, NOW);
    expect(order(next, 'next')).toEqual(['a1']);
    expect(cellAt(next, OTHER, 'next').total).toBe(201);
  });

  it('takes over what the server says, wherever the card stood before', () => {
    const next = merged(
      four,
      { tiles: [card('b2', 'doing', 0, { title: 'Renamed' }), card('e5', 'next', -1)], gone: ['d4'] },
      NOW,
    );
    expect(order(next, 'next')).toEqual(['e5', 'a1', 'c3']);
    expect(order(next, 'doing')).toEqual(['b2']);
    expect(findTile(next, 'b2')?.title).toBe('Renamed');
  });

  it('keeps the newer of two answers that overtook each other', () => {
    const newer = merged(four, { tiles: [card('b2', 'doing', 0, { revision: 8 })], gone: [] }, NOW);
    const late = merged(newer, { tiles: [card('b2', 'next', 1, { revision: 7 })], gone: [] }, NOW);
    expect(order(late, 'doing')).toEqual(['b2']);
  });

  it('drops a card that went to the Backlog or was finished before the window', () => {
    const next = merged(
      four,
      {
        tiles: [card('a1', 'backlog', 0), card('b2', 'done', 0, { completedAt: '2026-11-20T00:00:00.000Z' })],
        gone: [],
      },
      NOW,
    );
    expect(order(next, 'backlog')).toEqual([]);
    expect(order(next, 'done')).toEqual([]);
  });

  it('puts what is loaded later behind, and never twice', () => {
    const long = board([card('a1', 'next', 0), card('b2', 'next', 1)], { totals: { next: 4 } });
    const next = extended(long, OTHER, 'next', [card('b2', 'next', 1), card('c3', 'next', 2)], 4);
    expect(order(next, 'next')).toEqual(['a1', 'b2', 'c3']);
  });

  it('finds a place between neighbours', () => {
    const [a, b] = cellAt(four, OTHER, 'next').tiles;
    expect(between(a, b)).toBe(0.5);
    expect(between(undefined, a)).toBe(-1);
    expect(between(b, undefined)).toBe(2);
    expect(between(undefined, undefined)).toBeNull();
  });

  it('keeps the identity of cells that did not change, so that they are not drawn again', () => {
    const next = moved(four, { cardId: 'b2', columnId: 'doing', order: null }, NOW);
    expect(cellAt(next, OTHER, 'done')).toBe(cellAt(four, OTHER, 'done'));
  });
});

describe('lanes', () => {
  const epic = card('e9', 'next', 0, { type: 'epic', progress: { done: 0, total: 1 } });
  const laned = board(
    [card('a1', 'next', 1, { parentCardId: 'e9', parentNumber: 9 }), card('b2', 'next', 2)],
    { lanes: [epic] },
  );

  it('makes the epic of the lane the parent, and counts its children', () => {
    expect(order(laned, 'next', 'e9')).toEqual(['a1']);
    const next = moved(laned, { cardId: 'b2', columnId: 'doing', order: null, parentCardId: 'e9' }, NOW);
    expect(order(next, 'doing', 'e9')).toEqual(['b2']);
    expect(findTile(next, 'b2')).toMatchObject({
      parentCardId: 'e9',
      parentNumber: 9,
      parentTitle: expect.any(String),
    });
    expect(findTile(next, 'e9')?.progress).toEqual({ done: 0, total: 2 });
  });

  it('counts a finished child, and takes a child out of the lane', () => {
    const done = moved(laned, { cardId: 'a1', columnId: 'done', order: null }, NOW);
    expect(findTile(done, 'e9')?.progress).toEqual({ done: 1, total: 1 });
    const out = moved(laned, { cardId: 'a1', columnId: 'next', order: 0, parentCardId: null }, NOW);
    expect(order(out, 'next')).toEqual(['a1', 'b2']);
    expect(findTile(out, 'e9')?.progress).toEqual({ done: 0, total: 0 });
  });

  it('asks for the board anew only when lanes themselves change', () => {
    expect(changesLanes(laned, { tiles: [card('b2', 'doing', 0)], gone: [] }, true)).toBe(false);
    expect(changesLanes(laned, { tiles: [{ ...epic, title: 'Other words' }], gone: [] }, true)).toBe(false);
    expect(changesLanes(laned, { tiles: [{ ...epic, laneEnabled: false }], gone: [] }, true)).toBe(true);
    expect(changesLanes(laned, { tiles: [card('f7', 'next', 0, { type: 'epic' })], gone: [] }, true)).toBe(
      true,
    );
    expect(changesLanes(laned, { tiles: [], gone: ['e9'] }, true)).toBe(true);
    expect(changesLanes(laned, { tiles: [], gone: ['e9'] }, false)).toBe(false);
  });
});

describe('whatever happens in whatever order', () => {
  const ids = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6'];
  const places = fc.constantFrom('next', 'doing', 'done');
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('move' as const),
      id: fc.constantFrom(...ids),
      to: places,
      at: fc.option(fc.nat(7)),
    }),
    fc.record({
      kind: fc.constant('merge' as const),
      id: fc.constantFrom(...ids),
      to: places,
      at: fc.nat(7),
    }),
    fc.record({ kind: fc.constant('gone' as const), id: fc.constantFrom(...ids) }),
  );

  it('shows no card twice, loses none, and keeps counts that agree', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let now = board(ids.map((id, at) => card(id, 'next', at)));
        const alive = new Set(ids);
        for (const each of steps) {
          if (each.kind === 'gone') {
            alive.delete(each.id);
            now = withoutCard(now, each.id);
          } else if (each.kind === 'move') {
            now = moved(now, { cardId: each.id, columnId: each.to, order: each.at }, NOW);
          } else {
            alive.add(each.id);
            const fresh = card(each.id, each.to, each.at, {
              completedAt: each.to === 'done' ? NOW : null,
            });
            now = merged(now, { tiles: [fresh], gone: [] }, NOW);
          }
        }
        const shown = [...now.cells.values()].flatMap((cell) => cell.tiles.map((tile) => tile.cardId));
        expect([...shown].sort()).toEqual([...alive].sort());
        for (const cell of now.cells.values()) {
          expect(cell.total).toBe(cell.tiles.length);
          expect(now.columns.find((each) => each.columnId === cell.columnId)?.cards).toBe(cell.total);
          for (const tile of cell.tiles) expect(tile.columnId).toBe(cell.columnId);
        }
      }),
    );
  });

  it('gives back the same order when a card is taken out and put in again', () => {
    const four = board(ids.map((id, at) => card(id, 'next', at)));
    fc.assert(
      fc.property(fc.constantFrom(...ids), (id) => {
        const tile = findTile(four, id)!;
        expect(order(withCard(withoutCard(four, id), tile), 'next')).toEqual(ids);
      }),
    );
  });
});

describe('the counts of the page', () => {
  const state = { kind: 'stuck', code: 'paused', since: NOW } as const;
  const some = board([card('a1', 'next', 0, { state }), card('b2', 'doing', 0)]);
  const counts = (of: Board) => [of.totals.open, of.totals.backlog, of.totals.stuck];
  const start = { ...some, totals: { ...some.totals, open: 2, stuck: 1 } };

  it('follow cards into the Backlog, to the end and away', () => {
    expect(counts(moved(start, { cardId: 'a1', columnId: 'backlog', order: null }, NOW))).toEqual([1, 1, 0]);
    expect(counts(moved(start, { cardId: 'a1', columnId: 'done', order: null }, NOW))).toEqual([1, 0, 0]);
    expect(counts(merged(start, { tiles: [], gone: ['a1'] }, NOW))).toEqual([1, 0, 0]);
    expect(counts(merged(start, { tiles: [card('b2', 'doing', 0, { state })], gone: [] }, NOW))).toEqual([
      2, 0, 2,
    ]);
  });
});
