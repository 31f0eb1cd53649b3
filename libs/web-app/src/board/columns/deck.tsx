import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { type Board, type Cell, typeOf } from '../model/board-model';
import type { Tile as TileFacts } from '../types';
import { useBoardActions } from './board-actions';
import { Tile } from './tile';

const FANNED = 5;
const CLOSE_MS = 250;

export interface DeckProps {
  readonly board: Board;
  readonly epic: TileFacts;
  readonly cell: Cell;
}

/** What comes next in a lane: its children in the Backlog. Fans out under the pointer or the focus; cards go in and out. */
export function Deck({ board, epic, cell }: DeckProps) {
  const { drag, paths } = useBoardActions();
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const over = useSyncExternalStore(drag.place.subscribe, () => {
    const place = drag.place.get();
    return place?.kind === 'cell' && place.laneId === cell.laneId && place.columnId === cell.columnId;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    // The tile that is dragged out must stay where it began until it is let go.
    timer.current = setTimeout(() => (drag.isRunning ? close() : setOpen(false)), CLOSE_MS);
  };
  const show = () => {
    clearTimeout(timer.current);
    setOpen(true);
  };
  const { total } = cell;
  const fanned = cell.tiles.slice(0, FANNED);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for the keyboard
    <div
      className="deck-place"
      data-drop="cell"
      data-lane={cell.laneId}
      data-column={cell.columnId}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show()}
      onPointerLeave={(event) => event.pointerType === 'mouse' && close()}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
        event.currentTarget.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        className="deck"
        data-over={over || undefined}
        aria-expanded={open}
        aria-label={`${total} in Backlog, up next in ${epic.title}`}
        onClick={() => (open ? setOpen(false) : show())}
      >
        {total > 0 && <span className="deck__cards" aria-hidden="true" />}
        {total} in Backlog
      </button>
      {open && total > 0 && (
        <div className="deck__fan">
          <ul className="col__cards">
            {fanned.map((tile, index) => (
              <li key={tile.cardId} data-slot={tile.cardId}>
                <Tile tile={tile} type={typeOf(board, tile.type)} first={index === 0} inLane />
              </li>
            ))}
          </ul>
          {total > fanned.length && (
            <Link className="col__more" to={`${paths.backlog}?epic=${epic.cardId}`}>
              +{total - fanned.length} more
            </Link>
          )}
        </div>
      )}
    </div>
  );
}
