import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '../../api/live';
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
import { glow, markStale } from './tile-marks';

export interface BoardSpaceValue {
  readonly projectId: string;
  readonly api: BoardApi;
  readonly paths: ReturnType<typeof boardPaths>;
  readonly mayWrite: boolean;
  readonly mayAdmin: boolean;
  readonly queue: ChangeQueue;
  readonly moves: Moves;
  /** Grows with each change by others; pages that never reload by themselves compare it. */
  readonly changes: Store<number>;
}

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
  const catching = useRef(false);

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
      if (catching.current) return;
      catching.current = true;
      void catchUp(space, queries).finally(() => {
        catching.current = false;
      });
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
    let unknown = false;
    let lanes = false;
    forViews(queries, projectId, (board, view) => {
      const fresh = { tiles: answer.tiles, gone: answer.missing };
      const isNew = answer.tiles.some((tile) => !findTile(board, tile.cardId));
      // A card that was not loaded may have left any cell of the lanes.
      if (isFiltered(view) || (isNew && board.lanes.length > 0)) return null;
      unknown ||= isNew;
      lanes ||= changesLanes(board, fresh, view.lanes);
      const next = merged(board, fresh, now);
      return queue.isEmpty ? { ...next, revision: Math.max(next.revision, queue.heardRevision) } : next;
    });
    showChanged(queries, projectId, answer.tiles, answer.missing);
    changes.set((count) => count + 1);
    if (lanes) await queries.invalidateQueries({ queryKey: boardKeys.views(projectId) });
    else if (unknown) {
      // A card that is not loaded may have left a column that is: only the counts tell.
      const { columns, totals } = await api.counts();
      forViews(queries, projectId, (board, view) =>
        isFiltered(view) ? board : recounted(board, columns, totals),
      );
    }
    glow(ids);
  };
  const queue = new ChangeQueue({ refresh, onStale: markStale });
  return {
    projectId,
    api,
    paths: boardPaths(projectId),
    mayWrite: false,
    mayAdmin: false,
    queue,
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
  if (known.length === 0) return readAnew(space, queries);
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
  } catch {
    await readAnew(space, queries);
  }
}
