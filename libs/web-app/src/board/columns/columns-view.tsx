import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useQueryClient } from '@tanstack/react-query';
import { Kanban, Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { sentenceOf } from '../../api/problem';
import { useStore } from '../../app/store';
import { Button, ButtonLink } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { toast } from '../../components/toast';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { type Board, cellAt, columnOf, findTile, OTHER } from '../model/board-model';
import { isFiltered, viewOf } from '../model/filters';
import { orderForChoice, type Rank } from '../model/place';
import type { Tile } from '../types';
import { BoardActionsContext } from './board-actions';
import { clearSelected, marks, toggleSelected } from './board-marks';
import { BulkBar } from './bulk-bar';
import { Cell } from './cell';
import { Lane } from './lane';
import { MoveMenu } from './move-menu';
import { StateTip } from './state-tip';
import { focusTile, neighbourOf } from './tile-focus';
import { listenForTouch } from './touch-drag';
import { useActions } from './use-actions';
import { useFolds } from './use-folds';

export interface ColumnsProps {
  readonly board: Board;
  readonly view: ReturnType<typeof viewOf>;
  readonly folds: ReturnType<typeof useFolds>;
  /** Cards of the filter before are shown while those of this one are on their way. */
  readonly busy: boolean;
  readonly onOpen: (number: number) => void;
  readonly onClear: () => void;
}

/** The cards in their columns, and all that can be done to them there. */
export function Columns({ board, view, folds, busy, onOpen, onClear }: ColumnsProps) {
  const { api, moves, paths, mayWrite, projectId } = useBoardSpace();
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

  const actions = useActions({ latest, onOpen, moveSelected });
  const { drag } = actions;

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
            <ButtonLink icon={Plus} to={paths.create(columns[0]?.columnId)}>
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
