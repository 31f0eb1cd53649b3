import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { Glyph } from '../../components/icon';
import { Since } from '../card/since';
import { findTile } from '../model/board-model';
import { STATE } from '../model/words';
import { useBoardActions } from './board-actions';

const OPEN_MS = 250;
const CLOSE_MS = 200;

interface Shown {
  readonly cardId: string;
  readonly left: number;
  readonly top: number;
}

/**
 * One tooltip for the state marks of all tiles: why, since when, and the way to the card. It shows under the pointer or
 * while the tile has the keyboard, and stays while the pointer is in it.
 */
export function StateTip({ root }: { readonly root: React.RefObject<HTMLElement | null> }) {
  const { shown: board, paths, drag } = useBoardActions();
  const [tip, setTip] = useState<Shown | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const plan = (next: Shown | null, ms: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setTip(next), ms);
    };
    const below = (mark: Element): Shown => {
      const box = mark.getBoundingClientRect();
      return {
        cardId: (mark as HTMLElement).dataset.stateOf ?? '',
        left: Math.max(8, Math.min(box.left - 8, window.innerWidth - 296)),
        top: box.bottom + 4,
      };
    };
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || drag.isRunning) return;
      const mark = (event.target as Element).closest?.('[data-state-of]');
      if (mark) plan(below(mark), OPEN_MS);
    };
    const onOut = (event: PointerEvent) => {
      if ((event.target as Element).closest?.('[data-state-of]')) plan(null, CLOSE_MS);
    };
    const onFocus = (event: FocusEvent) => {
      const tile = event.target as HTMLElement;
      const mark = tile.matches('[data-card]:focus-visible') ? tile.querySelector('[data-state-of]') : null;
      plan(mark ? below(mark) : null, mark ? OPEN_MS * 2 : 0);
    };
    const close = () => plan(null, 0);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key.startsWith('Arrow')) close();
    };
    element.addEventListener('pointerover', onOver);
    element.addEventListener('pointerout', onOut);
    element.addEventListener('focusin', onFocus);
    element.addEventListener('focusout', close);
    element.addEventListener('scroll', close, { capture: true, passive: true });
    element.addEventListener('dragstart', close);
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer.current);
      element.removeEventListener('pointerover', onOver);
      element.removeEventListener('pointerout', onOut);
      element.removeEventListener('focusin', onFocus);
      element.removeEventListener('focusout', close);
      element.removeEventListener('scroll', close, { capture: true });
      element.removeEventListener('dragstart', close);
      document.removeEventListener('keydown', onKey);
    };
  }, [root, drag]);

  const now = board();
  const tile = tip && now ? findTile(now, tip.cardId) : undefined;
  if (!tip || !tile?.state) return null;
  const { word, tone, glyph } = STATE[tile.state.kind];
  return createPortal(
    <div
      className="state-tip"
      role="tooltip"
      style={{ left: tip.left, top: tip.top }}
      onPointerEnter={() => clearTimeout(timer.current)}
      onPointerLeave={() => setTip(null)}
    >
      <p className="row" data-gap="tight">
        <Glyph name={glyph} tone={tone} />
        <b>{word}</b>
        {tile.state.since && (
          <span className="faint">
            <Since at={tile.state.since} />
          </span>
        )}
      </p>
      {tile.state.reason && <p>{tile.state.reason}</p>}
      {tile.state.clears && <p className="faint">{tile.state.clears}</p>}
      <Link to={paths.card(tile.cardId)}>Open card {tile.number}</Link>
    </div>,
    document.body,
  );
}
