import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { createStore, type Store } from '../../app/store';
import { announce } from '../../components/announcer';
import { plural } from '../../components/plural';
import { toast } from '../../components/toast';
import { type BoardApi, type BoardView, boardKeys, type MoveBody } from '../api';
import {
  type Board,
  cellAt,
  columnOf,
  findTile,
  laneOf,
  type MoveWish,
  merged,
  recounted,
  withProgress,
} from '../model/board-model';
import { isFiltered } from '../model/filters';
import type { MoveAnswer, Tile } from '../types';
import type { ChangeQueue } from './change-queue';

/** A move that the server has not answered yet. The page shows it as if it had. */
export interface PendingMove extends MoveWish {
  readonly id: number;
  readonly now: string;
}

export interface MoveOrder extends MoveWish {
  readonly number: number;
  readonly fromColumnId: string;
  /** The card that will stand right behind or before it, which holds also when others move at the same time. */
  readonly beforeCardId?: string;
  readonly afterCardId?: string;
  /** Rank in the whole column from 0, where no neighbour is named. */
  readonly position?: number;
  readonly makeUnmanaged?: boolean;
  /** Words of the column it goes to. */
  readonly label: string;
  /** Moved back by the person; offers no undo of its own. */
  readonly isUndo?: boolean;
  readonly silent?: boolean;
}

/** The workflow does not list a move: the person decides. */
export interface Question {
  readonly sentence: string;
  readonly confirm: () => void;
}

interface MovesOptions {
  readonly api: BoardApi;
  readonly queue: ChangeQueue;
  readonly queries: QueryClient;
  readonly projectId: string;
}

/** Moves cards at once on the page, then on the server; a refusal puts the card back and says why. */
export class Moves {
  readonly pending: Store<readonly PendingMove[]> = createStore<readonly PendingMove[]>([]);
  readonly question: Store<Question | null> = createStore<Question | null>(null);
  private readonly chains = new Map<string, Promise<unknown>>();
  private nextId = 1;
  private lastUndo: (() => void) | null = null;

  constructor(private readonly options: MovesOptions) {}

  /** Takes the last move back, once. */
  undo(): void {
    const undo = this.lastUndo;
    this.lastUndo = null;
    undo?.();
  }

  /** True when the server agreed. */
  async move(order: MoveOrder): Promise<boolean> {
    const { queue } = this.options;
    const before = this.whereabouts(order.cardId);
    const pending: PendingMove = { ...order, id: this.nextId, now: new Date().toISOString() };
    this.nextId += 1;
    this.pending.set((all) => [...all, pending]);
    queue.beginWrite(order.cardId);
    const earlier = this.chains.get(order.cardId) ?? Promise.resolve();
    // Two moves of one card go out one after the other, or the second would contradict the first.
    const sent = earlier.then(() => this.options.api.move(order.cardId, bodyOf(order)));
    const settled = sent.catch(() => undefined);
    this.chains.set(order.cardId, settled);
    try {
      const answer = await sent;
      for (const lane of answer.lanes) queue.wrote(lane.cardId, answer.revision);
      this.apply(answer);
      queue.endWrite(order.cardId, answer.revision);
      this.drop(pending.id);
      this.tell(order, answer, before);
      return true;
    } catch (error) {
      this.drop(pending.id);
      queue.endWrite(order.cardId, null);
      this.refused(order, error);
      return false;
    } finally {
      if (this.chains.get(order.cardId) === settled) this.chains.delete(order.cardId);
    }
  }

  /** All or nothing. */
  async moveMany(
    cards: readonly Pick<Tile, 'cardId' | 'number'>[],
    columnId: string,
    label: string,
  ): Promise<boolean> {
    const { api, queue } = this.options;
    const now = new Date().toISOString();
    const pending = cards.map(({ cardId }) => {
      this.nextId += 1;
      return { cardId, columnId, order: null, id: this.nextId, now };
    });
    this.pending.set((all) => [...all, ...pending]);
    for (const { cardId } of cards) queue.beginWrite(cardId);
    const drop = () => {
      const ids = new Set(pending.map((each) => each.id));
      this.pending.set((all) => all.filter((each) => !ids.has(each.id)));
    };
    try {
      const answer = await api.moveMany(
        cards.map((card) => card.cardId),
        columnId,
      );
      this.eachView((board) =>
        recounted(merged(board, { tiles: answer.tiles, gone: [] }, now), answer.columns),
      );
      for (const { cardId } of cards) queue.endWrite(cardId, answer.revision);
      drop();
      this.after(cards.map((card) => card.cardId));
      toast({ title: `${plural(cards.length, 'card')} moved to ${label}` });
      announce(`${plural(cards.length, 'card')} moved to ${label}`);
      return true;
    } catch (error) {
      drop();
      for (const { cardId } of cards) queue.endWrite(cardId, null);
      toast({ tone: 'bad', title: 'No card was moved.', text: reasonOf(error) });
      return false;
    }
  }

  private drop(id: number): void {
    this.pending.set((all) => all.filter((each) => each.id !== id));
  }

  private whereabouts(
    cardId: string,
  ): { tile: Tile; before: Tile | undefined; after: Tile | undefined } | null {
    for (const board of this.boards()) {
      const tile = findTile(board, cardId);
      if (!tile) continue;
      const { tiles } = cellAt(board, laneOf(board, tile), tile.columnId);
      const index = tiles.findIndex((each) => each.cardId === cardId);
      return { tile, before: tiles[index - 1], after: tiles[index + 1] };
    }
    return null;
  }

  private tell(order: MoveOrder, answer: MoveAnswer, before: ReturnType<Moves['whereabouts']>): void {
    const same = answer.fromColumnId === answer.toColumnId;
    this.after([order.cardId]);
    announce(`Card ${order.number} moved to ${order.label}, place ${answer.position + 1}`);
    if (order.isUndo) {
      toast({ title: `Card ${order.number} is back in ${order.label}` });
      return;
    }
    const undo = () =>
      void this.move({
        cardId: order.cardId,
        number: order.number,
        fromColumnId: answer.toColumnId,
        columnId: order.fromColumnId,
        order: before ? before.tile.order : null,
        ...(before?.before
          ? { afterCardId: before.before.cardId }
          : before?.after && { beforeCardId: before.after.cardId }),
        parentCardId: before && order.parentCardId !== undefined ? before.tile.parentCardId : undefined,
        label: this.labelOf(order.fromColumnId),
        isUndo: true,
      });
    this.lastUndo = undo;
    if (order.silent || (same && order.parentCardId === undefined)) return;
    toast({
      title: `Card ${order.number} moved to ${order.label}`,
      action: { label: 'Undo', run: undo },
    });
  }

  private refused(order: MoveOrder, error: unknown): void {
    if (error instanceof ApiProblem && error.body.offer === 'make-unmanaged') {
      this.question.set({
        sentence: error.message,
        confirm: () => void this.move({ ...order, makeUnmanaged: true }),
      });
      return;
    }
    toast({ tone: 'bad', title: `Card ${order.number} was not moved.`, text: reasonOf(error) });
    if (!(error instanceof ApiProblem)) return;
    const current = error.current<Tile>();
    if (error.code === 'stale_column' && current) {
      this.eachView((board) => merged(board, { tiles: [current], gone: [] }, new Date().toISOString()));
    } else if (error.status === 404 || error.code === 'column_gone' || error.code === 'stale_column') {
      void this.options.queries.invalidateQueries({ queryKey: boardKeys.views(this.options.projectId) });
    }
  }

  private apply(answer: MoveAnswer): void {
    const now = new Date().toISOString();
    this.eachView((board) =>
      withProgress(
        recounted(merged(board, { tiles: [answer.tile], gone: [] }, now), answer.columns),
        answer.lanes,
      ),
    );
  }

  private after(cardIds: readonly string[]): void {
    const { queries, projectId } = this.options;
    void queries.invalidateQueries({ queryKey: boardKeys.cards(projectId) });
    void queries.invalidateQueries({ queryKey: boardKeys.lists(projectId) });
    for (const id of cardIds) void queries.invalidateQueries({ queryKey: boardKeys.history(projectId, id) });
  }

  private labelOf(columnId: string): string {
    for (const board of this.boards()) {
      const column = columnOf(board, columnId);
      if (column) return column.label;
    }
    return 'its column';
  }

  private boards(): Board[] {
    const { queries, projectId } = this.options;
    return queries
      .getQueryCache()
      .findAll({ queryKey: boardKeys.views(projectId) })
      .map((query) => query.state.data as Board | undefined)
      .filter((board) => board !== undefined);
  }

  private eachView(change: (board: Board) => Board): void {
    const { queries, projectId } = this.options;
    for (const query of queries.getQueryCache().findAll({ queryKey: boardKeys.views(projectId) })) {
      const board = query.state.data as Board | undefined;
      if (!board) continue;
      if (isFiltered(query.queryKey[3] as BoardView)) {
        queries.setQueryData(query.queryKey, change(board));
        void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
      } else queries.setQueryData(query.queryKey, change(board));
    }
  }
}

/** The sentence for a field says more than the one for all of them. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof ApiProblem ? Object.values(error.fields) : [];
  return first ?? sentenceOf(error);
}

function bodyOf(order: MoveOrder): MoveBody {
  const place =
    order.afterCardId !== undefined
      ? { afterCardId: order.afterCardId }
      : order.beforeCardId !== undefined
        ? { beforeCardId: order.beforeCardId }
        : order.position !== undefined
          ? { position: order.position }
          : {};
  return {
    columnId: order.columnId,
    fromColumnId: order.fromColumnId,
    ...place,
    ...(order.parentCardId !== undefined && { parentCardId: order.parentCardId }),
    ...(order.makeUnmanaged && { makeUnmanaged: true }),
  };
}
