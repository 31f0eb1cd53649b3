import type { Query } from '../api/address';
import { api } from '../api/client';
import { type Board, boardOf } from './model/board-model';
import type {
  BoardAnswer,
  CardFields,
  CardRef,
  CardSuggestion,
  Colour,
  Column,
  ColumnsAnswer,
  FullCard,
  HistoryPage,
  MoveAnswer,
  RowPage,
  Tile,
  TilePage,
  WriteAnswer,
} from './types';

/** Which cards the board shows, and whether they stand in lanes. */
export interface BoardView {
  readonly lanes: boolean;
  readonly q: string;
  readonly type: string;
  readonly state: string;
}

export interface RowFilters {
  readonly q: string;
  readonly type: string;
  /** An epic, `none`, or empty for any. */
  readonly epic: string;
  readonly state: string;
  readonly sort: string;
  readonly dir: 'asc' | 'desc' | '';
  readonly page: number;
}

/** A card by what an address has of it. */
export type CardAddress = { readonly cardId: string } | { readonly number: number };

export interface MoveBody {
  readonly columnId: string;
  readonly fromColumnId?: string;
  readonly position?: number;
  readonly beforeCardId?: string;
  readonly afterCardId?: string;
  readonly parentCardId?: string | null;
  readonly makeUnmanaged?: boolean;
}

/** Cards of one column, or of one column in a lane, that are asked for at once. */
const PER_CELL = 50;

export const boardKeys = {
  root: (projectId: string) => ['board', projectId] as const,
  views: (projectId: string) => ['board', projectId, 'view'] as const,
  view: (projectId: string, view: BoardView) => ['board', projectId, 'view', view] as const,
  rows: (projectId: string, list: string, filters: RowFilters) =>
    ['board', projectId, 'rows', list, filters] as const,
  lists: (projectId: string) => ['board', projectId, 'rows'] as const,
  cards: (projectId: string) => ['board', projectId, 'card'] as const,
  card: (projectId: string, at: CardAddress) =>
    ['board', projectId, 'card', 'cardId' in at ? at.cardId : at.number] as const,
  history: (projectId: string, cardId: string) => ['board', projectId, 'history', cardId] as const,
  columns: (projectId: string) => ['board', projectId, 'columns'] as const,
  suggest: (projectId: string, q: string, epics: boolean) =>
    ['board', projectId, 'suggest', q, epics] as const,
};

export const boardPaths = (projectId: string) => {
  const base = `/projects/${projectId}/board`;
  return {
    board: base,
    list: `${base}?view=list`,
    backlog: `${base}/backlog`,
    settings: `/projects/${projectId}/settings/board`,
    create: (columnId?: string) => `${base}/cards/new${columnId ? `?column=${columnId}` : ''}`,
    card: (cardId: string) => `${base}/cards/${cardId}`,
    finished: (columnId: string) => `${base}/terminal/${columnId}`,
  };
};

/** The routes of the board of one project. */
export function boardApi(projectId: string) {
  const base = `/projects/${projectId}/board`;
  const card = (cardId: string) => `${base}/cards/${cardId}`;
  return {
    board: async (view: BoardView, signal?: AbortSignal): Promise<Board> =>
      boardOf(
        await api.get<BoardAnswer>(base, {
          signal,
          query: {
            ...filterOf(view),
            lanes: view.lanes ? 'on' : 'off',
            perColumn: PER_CELL,
          },
        }),
      ),
    /** How many cards stand where, without the cards. */
    counts: async () => {
      const { columns, totals, revision } = await api.get<BoardAnswer>(base, {
        query: { lanes: 'off', perColumn: 1 },
      });
      return { columns, totals, revision };
    },
    more: (
      view: BoardView,
      cell: { columnId: string; laneId?: string; after?: string; afterOrder?: number },
    ) =>
      api.get<TilePage>(`${base}/tiles`, {
        query: { ...filterOf(view), ...cell, limit: PER_CELL },
      }),
    tiles: (ids: readonly string[]) =>
      api.get<{ revision: number; tiles: Tile[]; missing: string[] }>(`${base}/tiles`, {
        query: { ids: ids.join(',') },
      }),
    changes: (since: number) =>
      api.get<{
        revision: number;
        columnsRevision: number;
        reload?: true;
        cards?: string[];
        deleted?: string[];
      }>(`${base}/changes`, { query: { since } }),
    columns: (signal?: AbortSignal) => api.get<ColumnsAnswer>(`${base}/columns`, { signal }),
    backlog: (filters: RowFilters, signal?: AbortSignal) =>
      api.get<RowPage & { epics: CardRef[] }>(`${base}/backlog`, { signal, query: rowsOf(filters) }),
    list: (filters: RowFilters, signal?: AbortSignal) =>
      api.get<RowPage>(`${base}/list`, { signal, query: rowsOf(filters) }),
    finished: (columnId: string, filters: RowFilters, signal?: AbortSignal) =>
      api.get<RowPage & { column: Column }>(`${base}/terminal/${columnId}`, {
        signal,
        query: rowsOf(filters),
      }),

    card: (at: CardAddress, signal?: AbortSignal) =>
      api.get<FullCard>('cardId' in at ? card(at.cardId) : `${base}/cards/by-number/${at.number}`, {
        signal,
      }),
    history: (cardId: string, page: number, signal?: AbortSignal) =>
      api.get<HistoryPage>(`${card(cardId)}/history`, { signal, query: { page } }),
    suggest: (q: string, epics: boolean, signal?: AbortSignal) =>
      api.get<{ cards: CardSuggestion[] }>(`${base}/cards/suggest`, {
        signal,
        query: { q, children: epics || undefined },
      }),
    create: (fields: CardFields, requestId: string) =>
      api.post<WriteAnswer>(`${base}/cards`, fields, { requestId }),
    update: (cardId: string, fields: CardFields) => api.patch<WriteAnswer>(card(cardId), fields),
    move: (cardId: string, body: MoveBody) => api.post<MoveAnswer>(`${card(cardId)}/move`, body),
    moveMany: (cardIds: readonly string[], columnId: string) =>
      api.post<{
        moved: number;
        tiles: Tile[];
        revision: number;
        columns: { columnId: string; cards: number }[];
      }>(`${base}/cards/move`, { cardIds, columnId }),
    remove: (cardId: string, number: number) => api.delete<void>(card(cardId), { confirm: number }),
    hold: (cardId: string) => api.post<WriteAnswer>(`${card(cardId)}/hold`, {}),
    release: (cardId: string) => api.post<WriteAnswer>(`${card(cardId)}/release`, {}),
    lane: (cardId: string, enabled: boolean) => api.post<WriteAnswer>(`${card(cardId)}/lane`, { enabled }),
    releasePause: (cardId: string, pauseId: string) =>
      api.post<WriteAnswer>(`${card(cardId)}/pauses/${pauseId}/release`, {}),
    closeSession: (cardId: string, runId: string) =>
      api.post<WriteAnswer>(`${card(cardId)}/runs/${runId}/close`, {}),

    addColumn: (label: string, colour: Colour | undefined, requestId: string) =>
      api.post<ColumnsAnswer>(`${base}/columns`, { label, colour }, { requestId }),
    changeColumn: (
      columnId: string,
      change: { label?: string; terminal?: boolean; colour?: Colour; revision: number },
    ) => api.patch<ColumnsAnswer>(`${base}/columns/${columnId}`, change),
    orderColumns: (columnIds: readonly string[], columnsRevision: number) =>
      api.post<ColumnsAnswer>(`${base}/columns/order`, { columnIds, columnsRevision }),
    deleteColumn: (columnId: string, targetColumnId: string | undefined) =>
      api.post<ColumnsAnswer>(`${base}/columns/${columnId}/delete`, { targetColumnId }),
    settings: (finishedWindowDays: number) =>
      api.patch<{ finishedWindowDays: number }>(`${base}/settings`, { finishedWindowDays }),
  };
}

export type BoardApi = ReturnType<typeof boardApi>;

function filterOf({ q, type, state }: BoardView): Query {
  return { q: q || undefined, type: type || undefined, state: state || undefined };
}

function rowsOf({ q, type, epic, state, sort, dir, page }: RowFilters): Query {
  return {
    q: q || undefined,
    type: type || undefined,
    epic: epic || undefined,
    state: state || undefined,
    sort: sort || undefined,
    dir: dir || undefined,
    page: page > 1 ? page : undefined,
  };
}
