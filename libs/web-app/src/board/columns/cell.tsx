import { Plus } from 'lucide-react';
import {
  memo,
  type ReactElement,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Link } from 'react-router';
import { Button, IconButton } from '../../components/button';
import { type Cell as CellFacts, OTHER, typeOf } from '../model/board-model';
import type { CardType, Column } from '../types';
import { useBoardActions } from './board-actions';
import { QuickAdd } from './quick-add';
import { useStepMount } from './step-mount';
import { Tile } from './tile';

export interface CellProps {
  readonly cell: CellFacts;
  readonly column: Column;
  readonly types: readonly CardType[];
  /** Scrolls by itself; in lanes the board scrolls. */
  readonly scrolls: boolean;
  /** Words of the lane, for the names of its columns. */
  readonly laneTitle: string | null;
  readonly filtered: boolean;
}

/** The cards of one column, in one lane. */
export const Cell = memo(function Cell({ cell, column, types, scrolls, laneTitle, filtered }: CellProps) {
  const { laneId, columnId, total } = cell;
  const drawn = useStepMount(cell.tiles.length);
  const tiles = drawn < cell.tiles.length ? cell.tiles.slice(0, drawn) : cell.tiles;
  const { drag, mayWrite, paths } = useBoardActions();
  const [adding, setAdding] = useState(false);
  const gap = useSyncExternalStore(
    drag.place.subscribe,
    useCallback(() => {
      const place = drag.place.get();
      return place?.kind === 'cell' && place.laneId === laneId && place.columnId === columnId
        ? place.index
        : -1;
    }, [drag, laneId, columnId]),
  );
  const Heading = laneTitle === null ? 'h2' : 'h3';
  const headingId = `col-${laneId || 'other'}-${columnId}`;
  let others = 0;
  const slots: ReactElement[] = [];
  for (const [index, tile] of tiles.entries()) {
    if (gap >= 0 && others === gap && !slots.some((slot) => slot.key === 'gap'))
      slots.push(<Gap key="gap" />);
    slots.push(
      <li key={tile.cardId} data-slot={tile.cardId}>
        <Tile tile={tile} type={typeOf({ types }, tile.type)} first={index === 0} inLane={laneId !== OTHER} />
      </li>,
    );
    if (!drag.carries(tile.cardId)) others += 1;
  }
  if (gap >= 0 && !slots.some((slot) => slot.key === 'gap')) slots.push(<Gap key="gap" />);

  const count = filtered || laneId !== OTHER || column.terminal ? total : Math.max(total, cell.tiles.length);
  return (
    <section
      className="col"
      data-drop="cell"
      data-lane={laneId}
      data-column={columnId}
      aria-labelledby={headingId}
    >
      <header className="col__head">
        <span className="dot" data-colour={column.colour} />
        <Heading className="col__title truncate" id={headingId} dir="auto">
          {column.label}
          {laneTitle !== null && <span className="visually-hidden">, {laneTitle}</span>}
        </Heading>
        <span className="count num">
          {count}
          <span className="visually-hidden"> {count === 1 ? 'card' : 'cards'}</span>
        </span>
        {mayWrite && (
          <IconButton
            label={`Add card to ${column.label}`}
            icon={Plus}
            size="sm"
            onClick={() => setAdding(true)}
          />
        )}
      </header>
      <div className="col__body" data-scrolls={scrolls || undefined}>
        {/* biome-ignore lint/a11y/noRedundantRoles: without bullets some browsers forget that it is a list */}
        <ul className="col__cards" role="list" aria-labelledby={headingId}>
          {slots}
        </ul>
        {drawn === cell.tiles.length && drawn < total && (
          <More laneId={laneId} columnId={columnId} left={total - drawn} />
        )}
        {adding && mayWrite ? (
          <QuickAdd column={column} laneId={laneId} onClose={() => setAdding(false)} />
        ) : (
          mayWrite &&
          scrolls &&
          tiles.length === 0 && (
            <Button variant="ghost" size="sm" icon={Plus} wide onClick={() => setAdding(true)}>
              Add card
            </Button>
          )
        )}
        {column.terminal && laneId === OTHER && (
          <Link className="col__more" to={paths.finished(columnId)}>
            All finished cards
            <span className="visually-hidden"> of {column.label}</span>
          </Link>
        )}
      </div>
    </section>
  );
});

function Gap() {
  return <li className="drop-gap" aria-hidden="true" />;
}

/** Loads the next cards when it comes into sight, or when it is pressed. */
function More({
  laneId,
  columnId,
  left,
}: {
  readonly laneId: string;
  readonly columnId: string;
  readonly left: number;
}) {
  const { more } = useBoardActions();
  const [busy, setBusy] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const load = useRef<() => void>(() => undefined);
  load.current = () => {
    if (busy) return;
    setBusy(true);
    more(laneId, columnId).finally(() => setBusy(false));
  };
  const auto = laneId === OTHER;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more cards are there, the end is somewhere else
  useEffect(() => {
    const element = ref.current;
    if (!element || !auto) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load.current();
      },
      { root: element.closest('[data-scrolls]'), rootMargin: '400px 0px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [auto, left]);
  return (
    <div ref={ref} className="col__load">
      <Button variant="ghost" size="sm" wide busy={busy} onClick={() => load.current()}>
        Show more, {left} left
      </Button>
    </div>
  );
}
