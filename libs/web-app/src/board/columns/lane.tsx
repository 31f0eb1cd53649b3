import { ChevronDown, Rows3 } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '../../components/button';
import { Glyph } from '../../components/icon';
import { type Board, cellAt, OTHER, typeOf } from '../model/board-model';
import { STATE } from '../model/words';
import type { Tile } from '../types';
import { useBoardActions } from './board-actions';
import { Cell } from './cell';
import { Deck } from './deck';

export interface LaneProps {
  readonly board: Board;
  /** The epic, or null for all other cards. */
  readonly epic: Tile | null;
  readonly folded: boolean;
  readonly filtered: boolean;
  readonly onFold: (laneId: string, folded: boolean) => void;
  readonly onLaneOff: (epic: Tile) => void;
}

/** A row across the columns: the children of one epic, or the cards of none. */
export const Lane = memo(function Lane({ board, epic, folded, filtered, onFold, onLaneOff }: LaneProps) {
  const { paths, mayWrite } = useBoardActions();
  const laneId = epic?.cardId ?? OTHER;
  const title = epic?.title ?? 'Other cards';
  const headingId = `lane-${laneId || 'other'}`;
  const columns = board.columns.filter((column) => !column.backlog);
  const backlog = board.columns.find((column) => column.backlog);
  return (
    <section className="lane" aria-labelledby={headingId} data-folded={folded || undefined}>
      <header className="lane__head">
        <IconButton
          label={folded ? `Expand lane ${title}` : `Collapse lane ${title}`}
          icon={ChevronDown}
          size="sm"
          data-fold=""
          aria-expanded={!folded}
          onClick={() => onFold(laneId, !folded)}
        />
        {epic && <span className="dot" data-colour={typeOf(board, epic.type).colour} />}
        <h2 id={headingId} className="truncate">
          {epic ? (
            <a className="row-title" href={paths.card(epic.cardId)} data-open={epic.number} dir="auto">
              {epic.title}
            </a>
          ) : (
            title
          )}
        </h2>
        {epic && <span className="faint num">#{epic.number}</span>}
        {epic?.state && (
          <span
            className="chip"
            data-variant="plain"
            data-tone={STATE[epic.state.kind].tone}
            data-state-of={epic.cardId}
          >
            <Glyph name={STATE[epic.state.kind].glyph} />
            {STATE[epic.state.kind].word}
          </span>
        )}
        {epic?.progress && (
          <>
            <progress
              className="progress"
              value={epic.progress.done}
              max={Math.max(1, epic.progress.total)}
              aria-label="Children done"
            />
            <span className="muted num small nowrap">
              {epic.progress.done}/{epic.progress.total} done
            </span>
          </>
        )}
        {epic && mayWrite && (
          <IconButton
            label={`Show ${title} as a tile, without a lane`}
            icon={Rows3}
            size="sm"
            onClick={() => onLaneOff(epic)}
          />
        )}
        {epic && backlog && <Deck board={board} epic={epic} cell={cellAt(board, laneId, backlog.columnId)} />}
      </header>
      {!folded && (
        <div className="cols">
          {columns.map((column) => (
            <Cell
              key={column.columnId}
              cell={cellAt(board, laneId, column.columnId)}
              column={column}
              types={board.types}
              scrolls={false}
              laneTitle={title}
              filtered={filtered}
            />
          ))}
        </div>
      )}
    </section>
  );
});
