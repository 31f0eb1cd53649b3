import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Inbox, Kanban, List, Plus, Rows3, SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useLiveState } from '../../api/live';
import { sentenceOf } from '../../api/problem';
import { requestId } from '../../api/request-id';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { useStore } from '../../app/store';
import { announce } from '../../components/announcer';
import { Button, ButtonLink } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { Glyph, Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { boardKeys } from '../api';
import { CardDrawer } from '../card/card-drawer';
import { CreateDrawer } from '../card/create-drawer';
import { forViews, useBoardSpace } from '../data/board-space';
import { laneParameter } from '../data/read-as-deep';
import { FilterField } from '../list/filter-field';
import { ListView } from '../list/list-view';
import { type Board, cellAt, columnOf, extended, findTile, merged, moved, OTHER } from '../model/board-model';
import { changed, isFiltered, viewOf } from '../model/filters';
import { orderForChoice, orderForDrop, type Rank } from '../model/place';
import { plural, STATE } from '../model/words';
import type { StateKind, Tile } from '../types';
import { type BoardActions, BoardActionsContext } from './board-actions';
import { clearSelected, marks, toggleSelected } from './board-marks';
import { BulkBar } from './bulk-bar';
import { Cell } from './cell';
import { Drag } from './drag';
import { Lane } from './lane';
import { MoveMenu } from './move-menu';
import { StateTip } from './state-tip';
import { focusFirstTile, focusTile, neighbourOf } from './tile-focus';
import { listenForTouch } from './touch-drag';
import { useFolds } from './use-folds';

/** The board of a project: columns, or lanes across them, or a list; a card opens beside it. */
export function BoardPage() {
  const project = useCurrentProject();
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const go = useNavigate();
  const { paths, mayWrite, mayAdmin, moves } = useBoardSpace();
  const folds = useFolds(project.id);
  const view = viewOf(search, folds.lanes);
  const asList = search.get('view') === 'list';
  const opened = Number(search.get('card')) || null;
  const creating = pathname.endsWith('/cards/new');
  usePage('Board', [{ label: project.name, to: `/projects/${project.id}` }]);

  const { board, error, refetch, isStale } = useShownBoard(view);
  const total = board ? board.totals.open : null;

  const set = useCallback(
    (part: Readonly<Record<string, string | null>>, replace = true) =>
      setSearch((now) => changed(now, part), { replace, preventScrollReset: true }),
    [setSearch],
  );
  const open = useCallback((number: number) => set({ card: String(number) }, false), [set]);
  const closeCard = useCallback(() => {
    const back = marks.get().open;
    set({ card: null });
    if (back) focusTile(back);
  }, [set]);

  useKeys('Board', [
    ...(mayWrite
      ? [
          { keys: 'n', label: 'Add a card', run: () => void go(paths.create()) },
          { keys: 'z', label: 'Undo the last move', run: () => moves.undo() },
        ]
      : []),
    { keys: 'm', label: 'Move the card that has the focus', run: focusFirstTile },
    { keys: 'x', label: 'Select the card that has the focus', run: focusFirstTile },
    { keys: 'f', label: 'Filter cards', run: () => document.getElementById('board-filter')?.focus() },
    {
      keys: 'l',
      label: asList ? 'Show the board' : 'Show the list',
      run: () => set({ view: asList ? null : 'list' }, false),
    },
  ]);

  return (
    <div className="board" data-list={asList || undefined}>
      <PageHead
        title="Board"
        aside={
          total !== null && (
            <span className="page-sub num wide-only" role="status">
              {plural(total, 'card')}
            </span>
          )
        }
        actions={
          <>
            <span className="board__filter">
              <FilterField
                id="board-filter"
                label="Filter cards by title or number"
                placeholder="Filter by title or number"
                value={view.q}
                onChange={(q) => set({ q })}
                onEnter={() => set({ view: 'list' }, false)}
              />
            </span>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place among the buttons of a head */}
            <span className="segmented" role="group" aria-label="View">
              <Link
                to={{ search: changed(search, { view: null }).toString() }}
                aria-current={asList ? undefined : 'page'}
                aria-label="Board view"
              >
                <Icon icon={Kanban} />
                <span className="wide-only">Board</span>
              </Link>
              <Link
                to={{ search: changed(search, { view: 'list' }).toString() }}
                aria-current={asList ? 'page' : undefined}
                aria-label="List view"
              >
                <Icon icon={List} />
                <span className="wide-only">List</span>
              </Link>
            </span>
            {mayAdmin && (
              <Link
                className="btn"
                data-icon=""
                to={paths.settings}
                aria-label="Board settings"
                title="Board settings"
              >
                <Icon icon={SlidersHorizontal} />
              </Link>
            )}
            {mayWrite && (
              <ButtonLink id="add-card" variant="primary" icon={Plus} to={paths.create()}>
                Add card
              </ButtonLink>
            )}
          </>
        }
      />
      <SecondRow board={board} view={view} asList={asList} folds={folds} onChange={set} />
      {error && !board ? (
        <div className="page-body">
          <LoadProblem error={error} onRetry={() => void refetch()} />
        </div>
      ) : !board ? (
        <div className="page-body">
          <Skeleton lines={8} />
        </div>
      ) : asList ? (
        <ListView view={view} board={board} onOpen={open} />
      ) : (
        <Columns
          board={board}
          view={view}
          folds={folds}
          busy={isStale}
          onOpen={open}
          onClear={() => set({ q: null, type: null, state: null })}
        />
      )}
      {opened !== null && !creating && (
        <CardDrawer key={opened} number={opened} onClose={closeCard} onOpen={open} />
      )}
      {creating && mayWrite && board && <CreateDrawer board={board} />}
    </div>
  );
}

/** The board as the server has it, with the moves on top that it has not answered yet. */
function useShownBoard(view: ReturnType<typeof viewOf>) {
  const { projectId, readBoard, moves } = useBoardSpace();
  const live = useLiveState();
  const query = useQuery({
    queryKey: boardKeys.view(projectId, view),
    queryFn: ({ signal }) => readBoard(view, signal),
    placeholderData: (before) => before,
    staleTime: 60_000,
    refetchOnWindowFocus: live !== 'live',
  });
  const pending = useStore(moves.pending);
  const base = query.data;
  const board = useMemo(
    () => base && pending.reduce((now, wish) => moved(now, wish, wish.now), base),
    [base, pending],
  );
  return { board, error: query.error, refetch: query.refetch, isStale: query.isPlaceholderData };
}

const COUNTED: readonly { kind: StateKind; count: 'stuck' | 'needsYou' | 'working'; words: string }[] = [
  { kind: 'stuck', count: 'stuck', words: 'stuck' },
  { kind: 'needs-you', count: 'needsYou', words: 'need you' },
  { kind: 'working', count: 'working', words: 'working' },
];

interface SecondRowProps {
  readonly board: Board | undefined;
  readonly view: ReturnType<typeof viewOf>;
  readonly asList: boolean;
  readonly folds: ReturnType<typeof useFolds>;
  readonly onChange: (part: Readonly<Record<string, string | null>>) => void;
}

function SecondRow({ board, view, asList, folds, onChange }: SecondRowProps) {
  const { paths } = useBoardSpace();
  const backlog = board?.columns.find((column) => column.backlog);
  return (
    <div className="board__row2">
      <Link className="btn" data-size="sm" data-drop="backlog" to={paths.backlog}>
        <Icon icon={Inbox} />
        Backlog <span className="count num">{backlog?.cards ?? ''}</span>
      </Link>
      {board && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons
        <span className="row small muted" role="group" aria-label="Show only" data-gap="tight">
          {COUNTED.filter(({ kind, count }) => board.totals[count] > 0 || view.state === kind).map(
            ({ kind, count, words }) => (
              <Button
                key={kind}
                variant="ghost"
                size="sm"
                aria-pressed={view.state === kind}
                onClick={() => onChange({ state: view.state === kind ? null : kind })}
              >
                <Glyph name={STATE[kind].glyph} tone={STATE[kind].tone} />
                {board.totals[count]}{' '}
                {kind === 'needs-you' && board.totals[count] === 1 ? 'needs you' : words}
              </Button>
            ),
          )}
        </span>
      )}
      <span className="push" />
      {board && (
        <Select
          size="sm"
          aria-label="Type"
          value={view.type}
          onChange={(event) => onChange({ type: event.target.value })}
        >
          <option value="">Any type</option>
          {board.types.map((type) => (
            <option key={type.key} value={type.key}>
              {type.label}
            </option>
          ))}
        </Select>
      )}
      {!asList && board?.types.some((type) => type.lane) && (
        <Button
          variant="ghost"
          size="sm"
          icon={Rows3}
          aria-pressed={view.lanes}
          onClick={() => folds.setLanes(!view.lanes)}
        >
          Group by lane
        </Button>
      )}
      {isFiltered(view) && (
        <Button variant="ghost" size="sm" onClick={() => onChange({ q: null, type: null, state: null })}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface ColumnsProps {
  readonly board: Board;
  readonly view: ReturnType<typeof viewOf>;
  readonly folds: ReturnType<typeof useFolds>;
  /** Cards of the filter before are shown while those of this one are on their way. */
  readonly busy: boolean;
  readonly onOpen: (number: number) => void;
  readonly onClear: () => void;
}

function Columns({ board, view, folds, busy, onOpen, onClear }: ColumnsProps) {
  const { api, moves, queue, paths, mayWrite, projectId } = useBoardSpace();
  const queries = useQueryClient();
  const root = useRef<HTMLElement>(null);
  const latest = useRef({ board, view });
  latest.current = { board, view };
  const [menu, setMenu] = useState<{ ids: readonly string[]; left: number; top: number } | null>(null);
  const [bulkBusy, setBulkBusy] = useState(false);

  const keepFocus = useCallback((cardId: string) => {
    // The tile is drawn anew in its new column; only then can it take the focus back.
    setTimeout(() => focusTile(cardId), 30);
  }, []);

  const moveSelected = useCallback(
    async (ids: readonly string[], columnId: string) => {
      const now = latest.current.board;
      const column = columnOf(now, columnId);
      const tiles = ids.map((id) => findTile(now, id)).filter((tile): tile is Tile => tile !== undefined);
      if (!column || tiles.length === 0) return;
      setBulkBusy(true);
      if (await moves.moveMany(inBoardOrder(now, tiles), columnId, column.label)) clearSelected();
      setBulkBusy(false);
    },
    [moves],
  );

  const [drag] = useState(
    () =>
      new Drag({
        hold: () => queue.hold(),
        allow: (ids, place) => {
          const now = latest.current.board;
          if (ids.length > 1) return place;
          if (place.kind === 'cell' && columnOf(now, place.columnId)?.terminal) {
            const tile = findTile(now, ids[0] ?? '');
            const first = { ...place, index: 0 };
            return tile?.columnId === place.columnId
              ? orderForDrop(now, ids[0] ?? '', first) && first
              : first;
          }
          return orderForDrop(now, ids[0] ?? '', place) ? place : null;
        },
        drop: (ids, place) => {
          const now = latest.current.board;
          if (ids.length > 1) {
            const columnId =
              place.kind === 'backlog'
                ? now.columns.find((column) => column.backlog)?.columnId
                : place.columnId;
            if (columnId) void moveSelected(ids, columnId);
            return;
          }
          const order = orderForDrop(now, ids[0] ?? '', place);
          if (order) void moves.move(order);
        },
      }),
  );

  const actions = useMemo<BoardActions>(
    () => ({
      paths,
      mayWrite,
      drag,
      shown: () => latest.current.board,
      open: onOpen,
      lift: (cardId) => {
        if (!mayWrite) return null;
        const { selected } = marks.get();
        return selected.has(cardId) && selected.size > 1 ? [...selected] : [cardId];
      },
      more: async (laneId, columnId) => {
        const { board: now, view: of } = latest.current;
        const cell = cellAt(now, laneId, columnId);
        try {
          const last = cell.tiles.at(-1);
          const page = await api.more(of, {
            columnId,
            laneId: laneParameter(now, laneId),
            after: last?.cardId,
            afterOrder: last?.order,
          });
          queries.setQueryData<Board>(
            boardKeys.view(projectId, of),
            (base) => base && extended(base, laneId, columnId, page.tiles, page.total),
          );
        } catch (problem) {
          toast({ tone: 'bad', title: 'No more cards were loaded.', text: sentenceOf(problem) });
        }
      },
      add: async (columnId, laneId, title) => {
        try {
          const answer = await api.create(
            { title, columnId, parentCardId: laneId === OTHER ? undefined : laneId },
            requestId(),
          );
          queue.wrote(answer.card.cardId, answer.revision);
          const now = new Date().toISOString();
          forViews(queries, projectId, (base, of) =>
            isFiltered(of) ? null : merged(base, { tiles: [answer.tile], gone: [] }, now),
          );
          announce(`Card ${answer.card.number} added`);
          return true;
        } catch (problem) {
          toast({ tone: 'bad', title: 'The card was not added.', text: sentenceOf(problem) });
          return false;
        }
      },
    }),
    [paths, mayWrite, drag, onOpen, api, queries, projectId, queue],
  );

  useEffect(() => {
    const element = root.current;
    if (!element || !mayWrite) return;
    // The Backlog button above is a place to drop too, so the whole page takes the drop.
    const page = element.closest<HTMLElement>('.board') ?? element;
    const stopDrop = dropTargetForElements({ element: page });
    const stopTouch = listenForTouch(element, drag, actions.lift);
    return () => {
      stopDrop();
      stopTouch();
    };
  }, [mayWrite, drag, actions]);

  useEffect(() => () => clearSelected(), []);

  const backlogOver = useSyncExternalStore(drag.place.subscribe, () => drag.place.get()?.kind === 'backlog');
  useEffect(() => {
    const button = document.querySelector('[data-drop="backlog"]');
    button?.toggleAttribute('data-over', backlogOver);
  }, [backlogOver]);

  const selected = useStore(marks).selected;

  const openMenu = (tile: HTMLElement) => {
    const cardId = tile.dataset.card ?? '';
    const box = tile.getBoundingClientRect();
    const { selected: chosen } = marks.get();
    setMenu({
      ids: chosen.has(cardId) && chosen.size > 1 ? [...chosen] : [cardId],
      left: box.left + 16,
      top: Math.min(box.top + 28, window.innerHeight - 40),
    });
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    const tile = event.target instanceof HTMLElement ? event.target : null;
    if (!tile?.matches('[data-card]') || event.ctrlKey || event.metaKey || event.altKey) return;
    const cardId = tile.dataset.card ?? '';
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === 'Enter') onOpen(Number(tile.dataset.number));
    else if (key === 'm' && mayWrite) openMenu(tile);
    else if ((key === 'x' || key === ' ') && mayWrite) toggleSelected(cardId);
    else if (key === 'Escape' && selected.size > 0) clearSelected();
    else if (key.startsWith('Arrow') || key === 'Home' || key === 'End') {
      const next = neighbourOf(tile, key);
      next?.focus();
      next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const onClick = (event: React.MouseEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    const tile = target?.closest<HTMLElement>('[data-card]');
    const head = target?.closest<HTMLElement>('[data-open]');
    if (!tile && !head) return;
    if (tile && mayWrite && (event.metaKey || event.ctrlKey || event.shiftKey)) {
      event.preventDefault();
      toggleSelected(tile.dataset.card ?? '');
      return;
    }
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    tile?.focus({ preventScroll: true });
    onOpen(Number(tile?.dataset.number ?? head?.dataset.open));
  };

  const choose = (columnId: string, rank: Rank) => {
    const ids = menu?.ids ?? [];
    const first = ids[0] ?? '';
    setMenu(null);
    if (ids.length > 1) {
      void moveSelected(ids, columnId);
      return;
    }
    const order = orderForChoice(latest.current.board, first, columnId, rank);
    if (!order) {
      keepFocus(first);
      return;
    }
    void moves.move(order).then(() => keepFocus(first));
    keepFocus(first);
  };

  const filtered = isFiltered(view);
  const drawn = [...board.cells.values()].some((cell) => cell.tiles.length > 0) || board.lanes.length > 0;
  const columns = board.columns.filter((column) => !column.backlog);
  const menuTile = menu && findTile(board, menu.ids[0] ?? '');

  if (!drawn && !filtered && board.totals.open + board.totals.backlog === 0) {
    return (
      <EmptyState
        icon={Kanban}
        title="No cards yet"
        actions={
          mayWrite && (
            <ButtonLink variant="primary" icon={Plus} to={paths.create(columns[0]?.columnId)}>
              Add card
            </ButtonLink>
          )
        }
      >
        A card is one piece of work. Add one yourself, or ask a connected agent to plan the work as cards.
      </EmptyState>
    );
  }
  return (
    <BoardActionsContext value={actions}>
      {filtered && !drawn && (
        <EmptyState
          icon={Kanban}
          title="No card matches"
          actions={
            <Button variant="primary" onClick={onClear}>
              Clear filters
            </Button>
          }
        >
          No card on the board has all of these. Finished cards and the Backlog have pages of their own.
        </EmptyState>
      )}
      <section
        ref={root}
        className="board__scroll"
        data-lanes={board.lanes.length > 0 || undefined}
        aria-label="Board columns"
        aria-busy={busy || undefined}
        hidden={filtered && !drawn}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {board.lanes.length === 0 ? (
          <div className="cols">
            {columns.map((column) => (
              <Cell
                key={column.columnId}
                cell={cellAt(board, OTHER, column.columnId)}
                column={column}
                types={board.types}
                scrolls
                laneTitle={null}
                filtered={filtered}
              />
            ))}
          </div>
        ) : (
          [...board.lanes, null].map((epic) => (
            <Lane
              key={epic?.cardId ?? OTHER}
              board={board}
              epic={epic}
              folded={folds.folded.has(epic?.cardId ?? OTHER)}
              filtered={filtered}
              onFold={folds.fold}
              onLaneOff={async (tile) => {
                try {
                  await api.lane(tile.cardId, false);
                  await queries.invalidateQueries({ queryKey: boardKeys.views(projectId) });
                } catch (problem) {
                  toast({ tone: 'bad', title: 'The lane was not changed.', text: sentenceOf(problem) });
                }
              }}
            />
          ))
        )}
      </section>
      <StateTip root={root} />
      {menu && (
        <MoveMenu
          at={menu}
          columns={board.columns}
          own={menu.ids.length > 1 ? null : (menuTile?.columnId ?? null)}
          title={
            menu.ids.length > 1
              ? `Move ${menu.ids.length} cards to`
              : `Move card ${menuTile?.number ?? ''} to`
          }
          onChoose={choose}
          onClose={() => {
            setMenu(null);
            keepFocus(menu.ids[0] ?? '');
          }}
        />
      )}
      {selected.size > 0 && (
        <BulkBar
          count={selected.size}
          columns={board.columns}
          busy={bulkBusy}
          onMove={(column) => void moveSelected([...selected], column.columnId)}
          onClear={clearSelected}
        />
      )}
    </BoardActionsContext>
  );
}

/** Cards that move together keep the order in which they stand on the board. */
function inBoardOrder(board: Board, tiles: readonly Tile[]): readonly Tile[] {
  const column = (tile: Tile) => board.columns.findIndex((each) => each.columnId === tile.columnId);
  return [...tiles].sort((a, b) => column(a) - column(b) || a.order - b.order);
}
