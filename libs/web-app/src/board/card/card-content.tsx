import { useEffect, useId, useRef, useState } from 'react';
import { Banner } from '../../components/banner';
import type { CardType, Column, FullCard } from '../types';
import { CardFeedback } from './card-feedback';
import { CardHistory } from './card-history';
import { CardOverview } from './card-overview';
import { EditCard } from './edit-card';

export interface CardContentProps {
  readonly card: FullCard;
  readonly gone: boolean;
  readonly types: readonly CardType[];
  readonly columns: readonly Column[];
  readonly editing: boolean;
  /** Level of the headings, below the title of the card. */
  readonly level: 2 | 3;
  readonly onEdit: (editing: boolean) => void;
  /** Opens another card where this one is shown. */
  readonly onOpen: (card: { readonly cardId: string; readonly number: number }) => void;
}

type Tab = 'overview' | 'feedback' | 'history';
const TABS: readonly { tab: Tab; label: string }[] = [
  { tab: 'overview', label: 'Overview' },
  { tab: 'feedback', label: 'Feedback' },
  { tab: 'history', label: 'History' },
];

/** What the drawer and the page of a card have in common: the tabs, and the form in their place. */
export function CardContent({
  card,
  gone,
  types,
  columns,
  editing,
  level,
  onEdit,
  onOpen,
}: CardContentProps) {
  const id = useId();
  const [tab, setTab] = useState<Tab>('overview');
  const edit = useRef<HTMLButtonElement>(null);
  const edited = useRef(editing);
  useEffect(() => {
    // The form that had the focus is gone: who works by keys goes on at the button that had opened it.
    if (edited.current && !editing && document.activeElement === document.body) edit.current?.focus();
    edited.current = editing;
  }, [editing]);
  if (editing) {
    return (
      <div className="drawer__body">
        <EditCard card={card} gone={gone} types={types} columns={columns} onClose={() => onEdit(false)} />
      </div>
    );
  }
  const pending = card.siteReviewComments.length;
  return (
    <>
      <div
        className="tabs"
        role="tablist"
        aria-label="Card"
        onKeyDown={(event) => {
          const at = TABS.findIndex((each) => each.tab === tab);
          const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          const next = by === 0 ? undefined : TABS[(at + by + TABS.length) % TABS.length];
          if (!next) return;
          event.preventDefault();
          setTab(next.tab);
          document.getElementById(`${id}-${next.tab}`)?.focus();
        }}
      >
        {TABS.map((each) => (
          <button
            key={each.tab}
            id={`${id}-${each.tab}`}
            type="button"
            role="tab"
            aria-selected={tab === each.tab}
            aria-controls={`${id}-panel`}
            tabIndex={tab === each.tab ? 0 : -1}
            onClick={() => setTab(each.tab)}
          >
            {each.label}
            {each.tab === 'feedback' && pending > 0 && <span className="count num">{pending}</span>}
          </button>
        ))}
      </div>
      <div className="drawer__body" id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`}>
        {gone && (
          <Banner tone="bad" alert>
            This card was deleted.
          </Banner>
        )}
        {tab === 'overview' && (
          <CardOverview
            card={card}
            types={types}
            columns={columns}
            gone={gone}
            level={level}
            onOpen={onOpen}
            edit={edit}
            onEdit={() => onEdit(true)}
          />
        )}
        {tab === 'feedback' && <CardFeedback notes={card.siteReviewComments} />}
        {tab === 'history' && <CardHistory cardId={card.cardId} onOpen={onOpen} />}
      </div>
    </>
  );
}
