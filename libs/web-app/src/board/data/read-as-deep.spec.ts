import type { BoardView } from '../api';
import { boardOf, cellAt, OTHER } from '../model/board-model';
import type { Tile } from '../types';
import { readAsDeep } from './read-as-deep';

const view: BoardView = { lanes: true, q: '', type: '', state: '' };
const all = Array.from({ length: 7 }, (_, order) => ({
  cardId: `c${order}`,
  columnId: 'next',
  order,
  parentCardId: null,
})) as unknown as Tile[];

function loaded(count: number) {
  return boardOf({
    revision: 1,
    columnsRevision: 1,
    finishedWindowDays: 3,
    totals: { open: 7, backlog: 0, stuck: 0, needsYou: 0, working: 0, waiting: 0 },
    types: [],
    defaultType: 'feature',
    workflowOn: false,
    columns: [{ columnId: 'next', total: 7, cards: 7 }] as never,
    lanes: [],
    tiles: all.slice(0, count),
  });
}

describe('reading the board anew', () => {
  const asked: (string | undefined)[] = [];
  const api = {
    board: async () => loaded(2),
    more: async (_: BoardView, { after, laneId }: { after?: string; laneId?: string }) => {
      asked.push(after);
      expect(laneId).toBeUndefined();
      const from = all.findIndex((tile) => tile.cardId === after) + 1;
      return { revision: 1, total: 7, hasMore: true, tiles: all.slice(from, from + 2) };
    },
  };
  const shown = async (before: number | null) =>
    cellAt(
      await readAsDeep(api, view, before === null ? undefined : loaded(before)),
      OTHER,
      'next',
    ).tiles.map((tile) => tile.cardId);

  it('keeps as many cards of a column as were loaded before', async () => {
    expect(await shown(5)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
    expect(asked).toEqual(['c1', 'c3']);
  });

  it('asks for no more than the first cards at the first time', async () => {
    expect(await shown(null)).toEqual(['c0', 'c1']);
    expect(await shown(2)).toEqual(['c0', 'c1']);
  });
});
