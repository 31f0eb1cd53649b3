import type { Tile } from '../types';
import { boardOf, OTHER } from './board-model';
import { indexAt, orderForChoice, orderForDrop, scrollSpeed } from './place';

const tile = (cardId: string, columnId: string, order: number, more: Partial<Tile> = {}) =>
  ({
    cardId,
    number: order + 1,
    title: cardId,
    type: 'feature',
    columnId,
    order,
    completedAt: null,
    parentCardId: null,
    parentNumber: null,
    parentTitle: null,
    progress: null,
    revision: 1,
    ...more,
  }) as Tile;

const column = (columnId: string, total: number) => ({
  columnId,
  slug: columnId,
  label: columnId.toUpperCase(),
  colour: 'slate' as const,
  terminal: columnId === 'done',
  backlog: columnId === 'backlog',
  default: columnId === 'backlog',
  revision: 1,
  cards: total,
  total,
});

const epic = tile('e', 'next', 9, { type: 'epic' });
const board = boardOf({
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
  columns: [column('backlog', 0), column('next', 3), column('doing', 1), column('done', 1)],
  lanes: [{ ...epic, cells: [] }],
  tiles: [
    tile('a', 'next', 0),
    tile('b', 'next', 1),
    tile('c', 'next', 2),
    tile('x', 'doing', 5),
    tile('z', 'done', -5, { completedAt: '2026-11-30T00:00:00.000Z' }),
    tile('k', 'doing', 7, { type: 'epic' }),
  ],
});
const cell = (columnId: string, index: number, laneId = OTHER) =>
  ({ kind: 'cell', laneId, columnId, index }) as const;

describe('a drop', () => {
  it('names the card that stands before it, or the one behind when it comes first', () => {
    expect(orderForDrop(board, 'x', cell('next', 2))).toMatchObject({
      columnId: 'next',
      fromColumnId: 'doing',
      afterCardId: 'b',
      order: 1.5,
    });
    const first = orderForDrop(board, 'x', cell('next', 0));
    expect(first).toMatchObject({ beforeCardId: 'a', order: -1 });
    expect(first).not.toHaveProperty('afterCardId');
    expect(orderForDrop(board, 'a', cell('backlog', 0))).toMatchObject({ order: null, label: 'BACKLOG' });
  });

  it('changes nothing where the card stands already', () => {
    expect(orderForDrop(board, 'b', cell('next', 1))).toBeNull();
    expect(orderForDrop(board, 'b', cell('next', 2))).toMatchObject({ afterCardId: 'c' });
    expect(orderForDrop(board, 'z', cell('done', 0))).toBeNull();
    expect(orderForDrop(board, 'missing', cell('next', 0))).toBeNull();
  });

  it('has no rank among finished cards', () => {
    const order = orderForDrop(board, 'a', cell('done', 1));
    expect(order).not.toHaveProperty('afterCardId');
    expect(order).not.toHaveProperty('beforeCardId');
  });

  it('into a lane makes its epic the parent; an epic cannot enter', () => {
    expect(orderForDrop(board, 'a', cell('next', 0, 'e'))).toMatchObject({ parentCardId: 'e' });
    expect(orderForDrop(board, 'a', cell('doing', 0))).not.toHaveProperty('parentCardId');
    expect(orderForDrop(board, 'k', cell('next', 0, 'e'))).toBeNull();
  });

  it('on the Backlog goes to its end and keeps the parent', () => {
    expect(orderForDrop(board, 'a', { kind: 'backlog' })).toMatchObject({ columnId: 'backlog', order: null });
  });
});

describe('a choice of the menu', () => {
  it('moves up and down past one card', () => {
    expect(orderForChoice(board, 'b', 'next', 'up')).toMatchObject({ beforeCardId: 'a' });
    expect(orderForChoice(board, 'b', 'next', 'down')).toMatchObject({ afterCardId: 'c' });
    expect(orderForChoice(board, 'a', 'next', 'up')).toBeNull();
    expect(orderForChoice(board, 'c', 'next', 'down')).toBeNull();
    expect(orderForChoice(board, 'a', 'next', 'top')).toBeNull();
  });

  it('goes to the top or the end of any column', () => {
    expect(orderForChoice(board, 'c', 'next', 'top')).toMatchObject({ position: 0, order: -1 });
    expect(orderForChoice(board, 'a', 'next', 'end')).toMatchObject({ position: 2, order: null });
    expect(orderForChoice(board, 'a', 'doing', 'top')).toMatchObject({ position: 0 });
    expect(orderForChoice(board, 'a', 'doing', 'end')).not.toHaveProperty('position');
    expect(orderForChoice(board, 'a', 'done', 'top')).toMatchObject({ order: null });
  });
});

describe('the pointer', () => {
  it('finds the gap by the middle of the tiles', () => {
    const boxes = [0, 100, 200].map((top) => ({ top, bottom: top + 90 }));
    expect([-5, 44, 46, 150, 244, 246].map((y) => indexAt(boxes, y))).toEqual([0, 0, 1, 2, 2, 3]);
    expect(indexAt([], 10)).toBe(0);
  });

  it('scrolls near the edges only, and faster at the very edge', () => {
    expect(scrollSpeed(300, 0, 600)).toBe(0);
    expect(scrollSpeed(10, 0, 600)).toBeLessThan(scrollSpeed(50, 0, 600));
    expect(scrollSpeed(595, 0, 600)).toBeGreaterThan(0);
  });
});
