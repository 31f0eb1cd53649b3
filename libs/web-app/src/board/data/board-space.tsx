import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLive, useLiveState } from '../../api/live';
import { useCurrentProject } from '../../app/current-project';
import { mayAdminister, mayContribute } from '../../app/session';
import { createStore, type Store } from '../../app/store';
import { type BoardApi, type BoardView, boardApi, boardKeys, boardPaths } from '../api';
import { type Board, changesLanes, findTile, merged, recounted } from '../model/board-model';
import { isFiltered } from '../model/filters';
import type { FullCard, Tile } from '../types';
import { ChangeQueue } from './change-queue';
import { MoveQuestion } from './move-question';
import { Moves } from './moves';
import { readAsDeep } from './read-as-deep';
import { glow, markStale } from './tile-marks';

export interface BoardSpaceValue {
  readonly projectId: string;
  readonly api: BoardApi;
  readonly paths: ReturnType<typeof boardPaths>;
  readonly mayWrite: boolean;
  readonly mayAdmin: boolean;
  readonly queue: ChangeQueue;
  readonly moves: Moves;
  /** Reads a view of the board anew, as deep as it is on the page. */
  readonly readBoard: (view: BoardView, signal?: AbortSignal) => Promise<Board>;
  /** Grows with each change by others; pages that never reload by themselves compare it. */
  readonly changes: Store<number>;
}

/** How long a burst must be over before counts are asked for, in ms. */
const SETTLE_MS = 500;
/** Time for the stream to be open after the board was read; what fell between is asked for then, in ms. */
const FIRST_CATCH_UP_MS = 1_500;

const Space = createContext<BoardSpaceValue | null>(null);

/** The board of the project on screen: its routes, own writes and the changes of others. */
export function useBoardSpace(): BoardSpaceValue {
  const space = useContext(Space);
  if (!space) throw new Error('This part stands outside a board.');
  return space;
}

/** Keeps changes of others back while this is on screen and `active`. */
export function useHold(active: boolean): void {
  const { queue } = useBoardSpace();
  useEffect(() => (active ? queue.hold() : undefined), [queue, active]);
}

export function BoardSpace({ children }: { readonly children: ReactNode }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const [space] = useState<BoardSpaceValue>(() => openSpace(project.id, queries));
  const mayWrite = mayContribute(project.role);
  const mayAdmin = mayAdminister(project.role);
  const value = useMemo(() => ({ ...space, mayWrite, mayAdmin }), [space, mayWrite, mayAdmin]);
  const live = useLiveState();
  const catching = useRef(false);
  const catchUpOnce = useCallback(() => {
    if (catching.current) return;
    catching.current = true;
    void catchUp(space, queries).finally(() => {
      catching.current = false;
    });
  }, [space, queries]);

  // Also when the stream was open before: it began to tell of this board only after the board was read.
  useEffect(() => {
    if (live !== 'live') return;
    const timer = setTimeout(catchUpOnce, FIRST_CATCH_UP_MS);
    return () => clearTimeout(timer);
  }, [live, catchUpOnce]);

  useEffect(() => {
    const hurry = () => space.queue.hurry();
    window.addEventListener('online', hurry);
    return () => {
      window.removeEventListener('online', hurry);
      space.queue.close();
    };
  }, [space]);

  useLive([`project:${project.id}:board`], (message) => {
    const { queue } = space;
    if (!('topic' in message)) {
      catchUpOnce();
      return;
    }
    switch (message.type) {
      case 'card':
      case 'card-deleted':
      case 'progress':
        queue.heard(message.subjectId, message.version);
        break;
      default:
        // Columns, lanes, or too many cards at once.
        void readAnew(space, queries);
    }
  });

  return (
    <Space value={value}>
      {children}
      <MoveQuestion />
    </Space>
  );
}

function openSpace(projectId: string, queries: QueryClient): BoardSpaceValue {
  const api = boardApi(projectId);
  const changes = createStore(0);
  const refresh = async (ids: readonly string[]) => {
    const answer = await api.tiles(ids);
    const now = new Date().toISOString();
    const fresh = { tiles: answer.tiles, gone: answer.missing };
    let anew = false;
    forViews(queries, projectId, (board, view) => {
      const known = answer.tiles.filter((tile) => findTile(board, tile.cardId));
      lanesChanged ||= changesLanes(board, fresh, view.lanes);
      anew ||= lanesChanged || isFiltered(view) || known.length < answer.tiles.length;
      // Whether a card that is not there matches the filter is not known here.
      return merged(board, isFiltered(view) ? { ...fresh, tiles: known } : fresh, now);
    });
    showChanged(queries, projectId, answer.tiles, answer.missing);
    changes.set((count) => count + 1);
    if (anew) settle();
    glow(ids);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lanesChanged = false;
  /**
   * A card that was not loaded may have left any column or lane, or match a filter: only the server can tell. Asked once
   * the burst is over.
   */
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (queue.isEmpty) void settleNow().catch(() => undefined);
      else settle();
    }, SETTLE_MS);
  };
  const settleNow = async () => {
    let plain = false;
    forViews(queries, projectId, (board, view) => {
      if (isFiltered(view) || board.lanes.length > 0 || lanesChanged) return null;
      plain = true;
      return board;
    });
    lanesChanged = false;
    if (!plain) return;
    const { columns, totals, revision } = await api.counts();
    // More came meanwhile, so these counts would be counted twice.
    if (!queue.isEmpty || queue.heardRevision > revision) return settle();
    forViews(queries, projectId, (board, view) =>
      isFiltered(view) || board.lanes.length > 0 ? board : { ...recounted(board, columns, totals), revision },
    );
  };
  const queue = new ChangeQueue({ refresh, onStale: markStale });
  return {
    projectId,
    api,
    paths: boardPaths(projectId),
    mayWrite: false,
    mayAdmin: false,
    queue,
    readBoard: async (view, signal) => {
      const before = queries.getQueryData<Board>(boardKeys.view(projectId, view));
      const board = await readAsDeep(api, view, before, signal);
      queue.loaded(board.revision);
      return board;
    },
    moves: new Moves({ api, queue, queries, projectId }),
    changes,
  };
}

/** Changes every loaded view of the board; a view for which there is no answer is asked for anew. */
export function forViews(
  queries: QueryClient,
  projectId: string,
  change: (board: Board, view: BoardView) => Board | null,
): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: boardKeys.views(projectId) })) {
    const view = query.queryKey[3] as BoardView;
    const board = query.state.data as Board | undefined;
    if (!board) continue;
    const next = change(board, view);
    if (next === null) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    else if (next !== board) queries.setQueryData(query.queryKey, next);
  }
}

/** Cards that are open, and lists that show them, are read anew. */
function showChanged(
  queries: QueryClient,
  projectId: string,
  tiles: readonly Tile[],
  gone: readonly string[],
): void {
  const ids = new Set([...tiles.map((tile) => tile.cardId), ...gone]);
  void queries.invalidateQueries({
    queryKey: boardKeys.cards(projectId),
    predicate: ({ state }) => {
      const card = state.data as FullCard | undefined;
      return !card || ids.has(card.cardId) || related(card).some((id) => ids.has(id));
    },
  });
  for (const id of ids) void queries.invalidateQueries({ queryKey: boardKeys.history(projectId, id) });
  void queries.invalidateQueries({ queryKey: ['board', projectId, 'rows', 'list'] });
}

function related(card: FullCard): string[] {
  return [...card.children, ...card.relatedCards, ...(card.parent ? [card.parent] : [])].map(
    (each) => each.cardId,
  );
}

async function readAnew(space: BoardSpaceValue, queries: QueryClient): Promise<void> {
  space.changes.set((count) => count + 1);
  await queries.invalidateQueries({
    queryKey: ['board', space.projectId],
    predicate: ({ queryKey }) => !(queryKey[2] === 'rows' && queryKey[3] === 'backlog'),
  });
}

/** After events were missed: only what changed since then is asked for. */
async function catchUp(space: BoardSpaceValue, queries: QueryClient): Promise<void> {
  const known = queries
    .getQueryCache()
    .findAll({ queryKey: boardKeys.views(space.projectId) })
    .map((query) => (query.state.data as Board | undefined)?.revision)
    .filter((revision) => revision !== undefined);
  if (known.length === 0) return;
  try {
    const answer = await space.api.changes(Math.min(...known));
    if (answer.reload) return await readAnew(space, queries);
    const columnsChanged = queries
      .getQueryCache()
      .findAll({ queryKey: boardKeys.views(space.projectId) })
      .some(
        (query) =>
          (query.state.data as Board | undefined)?.columnsRevision !== undefined &&
          (query.state.data as Board).columnsRevision !== answer.columnsRevision,
      );
    if (columnsChanged) return await readAnew(space, queries);
    for (const id of [...(answer.cards ?? []), ...(answer.deleted ?? [])]) {
      space.queue.heard(id, answer.revision);
    }
    forViews(queries, space.projectId, (board) => ({ ...board, revision: answer.revision }));
  } catch {
    await readAnew(space, queries);
  }
}
