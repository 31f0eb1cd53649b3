import { ChevronDown, ChevronUp, ExternalLink, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { IconButton } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { marks } from '../columns/board-marks';
import { useBoardSpace } from '../data/board-space';
import { useBoardFacts, useCard } from '../data/use-card';
import { typeOf } from '../model/board-model';
import { CardContent } from './card-content';
import { CardMenu } from './card-menu';

export interface DrawerProps {
  readonly label: string;
  readonly labelId?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel beside the page; on narrow screens it covers the page. Escape closes and the focus goes back. */
export function Drawer({ label, labelId, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement);
  const latest = useRef(onClose);
  latest.current = onClose;

  useEffect(() => {
    const drawer = ref.current;
    if (drawer && !drawer.contains(document.activeElement)) drawer.focus({ preventScroll: true });
    const narrow = window.matchMedia('(max-width: 75em)');
    const app = document.getElementById('app');
    const cover = () => app?.toggleAttribute('inert', narrow.matches);
    cover();
    narrow.addEventListener('change', cover);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open], [role=menu]')) return;
      const target = event.target instanceof Element ? event.target : null;
      // A field of the page keeps its own Escape.
      if (target?.closest('input, textarea') && !drawer?.contains(target)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      narrow.removeEventListener('change', cover);
      document.removeEventListener('keydown', onKey);
      app?.removeAttribute('inert');
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) {
        before.focus({ preventScroll: true });
      }
    };
  }, [before]);

  return createPortal(
    <aside
      ref={ref}
      className="drawer"
      tabIndex={-1}
      aria-label={labelId ? undefined : label}
      aria-labelledby={labelId}
    >
      {children}
    </aside>,
    document.body,
  );
}

export interface CardDrawerProps {
  readonly number: number;
  readonly onClose: () => void;
  readonly onOpen: (number: number) => void;
}

/** One card beside the board. */
export function CardDrawer({ number, onClose, onOpen }: CardDrawerProps) {
  const id = useId();
  const { paths } = useBoardSpace();
  const { data: card, error, refetch } = useCard({ number });
  const facts = useBoardFacts();
  const [editing, setEditing] = useState(false);
  const gone = error instanceof ApiProblem && error.isNotFound;
  const cardId = card?.cardId ?? null;

  useEffect(() => {
    marks.set((now) => ({ ...now, open: cardId }));
    return () => marks.set((now) => ({ ...now, open: null }));
  }, [cardId]);

  const step = (by: 1 | -1) => {
    const tiles = [...document.querySelectorAll<HTMLElement>('.board [data-card]')];
    const at = tiles.findIndex((tile) => tile.dataset.card === cardId);
    const next = tiles[at + by];
    if (next) {
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      onOpen(Number(next.dataset.number));
    }
  };
  const type = card && facts && typeOf(facts, card.type);
  return (
    <Drawer label={`Card ${number}`} labelId={card ? id : undefined} onClose={onClose}>
      <div className="drawer__head">
        <div className="drawer__bar">
          {type && <span className="dot" data-colour={type.colour} />}
          <span className="nowrap">
            {type?.label ?? 'Card'} <span className="num">#{number}</span>
          </span>
          {card?.parent && (
            <span className="truncate">
              <span className="faint">in</span>{' '}
              <a
                href={paths.card(card.parent.cardId)}
                dir="auto"
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  onOpen(card.parent?.number ?? number);
                }}
              >
                #{card.parent.number} {card.parent.title}
              </a>
            </span>
          )}
          <span className="push" />
          {!editing && (
            <>
              <IconButton
                className="wide-only"
                label="Previous card"
                icon={ChevronUp}
                size="sm"
                onClick={() => step(-1)}
              />
              <IconButton
                className="wide-only"
                label="Next card"
                icon={ChevronDown}
                size="sm"
                onClick={() => step(1)}
              />
            </>
          )}
          {card && (
            <Link
              className="btn"
              data-icon=""
              data-variant="ghost"
              data-size="sm"
              to={paths.card(card.cardId)}
              aria-label="Open as page"
              title="Open as page"
            >
              <Icon icon={ExternalLink} />
            </Link>
          )}
          {card && !gone && <CardMenu card={card} onRemoved={onClose} />}
          <IconButton label="Close card" icon={X} size="sm" onClick={onClose} />
        </div>
        {card && (
          <h2 className="drawer__title" id={id} dir="auto">
            {card.title}
          </h2>
        )}
      </div>
      {card && facts ? (
        <CardContent
          card={card}
          gone={gone}
          types={facts.types}
          columns={facts.columns}
          editing={editing}
          level={3}
          onEdit={setEditing}
          onOpen={(other) => onOpen(other.number)}
        />
      ) : (
        <div className="drawer__body">
          {gone ? (
            <EmptyState icon={X} title={`No card ${number}`} level={3}>
              This project has no card {number}. It may have been deleted.
            </EmptyState>
          ) : error ? (
            <LoadProblem error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton lines={6} />
          )}
        </div>
      )}
    </Drawer>
  );
}
