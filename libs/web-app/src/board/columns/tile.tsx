import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { Check, FileText, GitPullRequestArrow, MessageSquare } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { Chip } from '../../components/chip';
import { Glyph, Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import { CHIP, STATE } from '../model/words';
import type { CardType, Tile as TileFacts } from '../types';
import { useBoardActions } from './board-actions';
import { DRAGGED, OPEN, SELECTED, useTileMarks } from './board-marks';

export interface TileProps {
  readonly tile: TileFacts;
  readonly type: CardType;
  /** Reachable by Tab; the others of its column by the arrows. */
  readonly first: boolean;
  /** The epic is told by the lane. */
  readonly inLane: boolean;
}

/** One card on the board. The whole tile is the handle and the link; keys and clicks are heard by the board. */
export const Tile = memo(
  function Tile({ tile, type, first, inLane }: TileProps) {
    const { paths, mayWrite, drag, lift } = useBoardActions();
    const bits = useTileMarks(tile.cardId);
    const ref = useRef<HTMLElement>(null);
    const { cardId } = tile;

    useEffect(() => {
      const element = ref.current;
      if (!element || !mayWrite) return;
      return draggable({
        element,
        canDrag: () => !drag.isRunning && lift(cardId) !== null,
        getInitialData: () => ({ cardId }),
        onDragStart: () => drag.start(lift(cardId) ?? [cardId]),
        onDrag: ({ location }) => drag.move(location.current.input.clientX, location.current.input.clientY),
        onDrop: ({ location }) => {
          drag.move(location.current.input.clientX, location.current.input.clientY);
          drag.end(location.current.dropTargets.length > 0);
        },
      });
    }, [cardId, mayWrite, drag, lift]);

    const state = tile.state && STATE[tile.state.kind];
    const selected = (bits & SELECTED) !== 0;
    const foot =
      tile.pullRequests > 0 ||
      tile.documents > 0 ||
      tile.feedbackPending > 0 ||
      tile.blockedBy.length > 0 ||
      tile.held ||
      tile.chips.length > 0 ||
      tile.progress !== null ||
      (!inLane && tile.parentNumber !== null);
    return (
      <article
        ref={ref}
        className="tile"
        data-card={cardId}
        data-number={tile.number}
        data-dragged={(bits & DRAGGED) !== 0 || undefined}
        data-selected={selected || undefined}
        aria-current={(bits & OPEN) !== 0 || undefined}
        aria-label={`${type.label} ${tile.number}: ${tile.title}${selected ? ', selected' : ''}`}
        tabIndex={first ? 0 : -1}
      >
        <div className="tile__top">
          {selected ? (
            <Icon icon={Check} size="sm" tone="accent" />
          ) : (
            <span className="dot" data-colour={type.colour} />
          )}
          <span className="truncate">{type.label}</span>
          <span className="num">#{tile.number}</span>
          {tile.state && state && (
            <span
              className="chip"
              data-variant="plain"
              data-tone={state.tone}
              data-strong={tile.state.kind === 'needs-you' || undefined}
              data-state-of={cardId}
            >
              <Glyph name={state.glyph} />
              {state.word}
            </span>
          )}
        </div>
        <a className="tile__title" href={paths.card(cardId)} dir="auto" tabIndex={-1} draggable={false}>
          {tile.title}
        </a>
        {foot && (
          <div className="tile__foot">
            {!inLane && tile.parentNumber !== null && (
              <span className="meta num" title={tile.parentTitle ?? undefined}>
                <span className="visually-hidden">Part of </span>↑ #{tile.parentNumber}
              </span>
            )}
            {tile.progress && (
              <span className="meta num">
                {tile.progress.done}/{tile.progress.total} done
              </span>
            )}
            {tile.pullRequests > 0 && (
              <span className="meta num" title={plural(tile.pullRequests, 'pull request')}>
                <Icon icon={GitPullRequestArrow} />
                <span className="visually-hidden">Pull requests: </span>
                {tile.pullRequests}
              </span>
            )}
            {tile.documents > 0 && (
              <span className="meta num" title={plural(tile.documents, 'document')}>
                <Icon icon={FileText} />
                <span className="visually-hidden">Documents: </span>
                {tile.documents}
              </span>
            )}
            {tile.feedbackPending > 0 && (
              <span className="meta num" title={`${tile.feedbackPending} pending feedback`}>
                <Icon icon={MessageSquare} />
                <span className="visually-hidden">Pending feedback: </span>
                {tile.feedbackPending}
              </span>
            )}
            {tile.blockedBy.length > 0 && (
              <span className="meta num">
                after{' '}
                {tile.blockedBy
                  .slice(0, 2)
                  .map((number) => `#${number}`)
                  .join(', ')}
                {tile.blockedBy.length > 2 && ` +${tile.blockedBy.length - 2}`}
              </span>
            )}
            {tile.held && <Chip glyph="not-started">Unmanaged</Chip>}
            {tile.chips.slice(0, tile.held ? 1 : 2).map((chip) => (
              <Chip key={chip} tone={CHIP[chip].tone} glyph={CHIP[chip].glyph}>
                {CHIP[chip].word}
              </Chip>
            ))}
          </div>
        )}
      </article>
    );
  },
  (a, b) => a.first === b.first && a.inLane === b.inLane && a.type === b.type && sameFace(a.tile, b.tile),
);

/** Rank and times are not drawn, so a card that only moved up is not drawn again. */
function sameFace(a: TileFacts, b: TileFacts): boolean {
  return (
    a === b ||
    (a.revision === b.revision &&
      a.cardId === b.cardId &&
      a.title === b.title &&
      a.state === b.state &&
      a.held === b.held &&
      a.progress === b.progress &&
      a.parentNumber === b.parentNumber)
  );
}
