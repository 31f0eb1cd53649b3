import type { ReactNode } from 'react';
import { Glyph } from '../../components/icon';
import { RelativeTime } from '../../components/relative-time';
import { useBoardSpace } from '../data/board-space';
import { STATE } from '../model/words';
import type { CardRef, FullCard } from '../types';
import { Since } from './since';

/** Opens another card where this one is shown. */
export type OpenCard = (card: { readonly cardId: string; readonly number: number }) => void;

/** Who or what added a card, as the end of a sentence. */
export function sourceWords({ source, createdBy }: FullCard): string {
  const name = createdBy?.name;
  switch (source.kind) {
    case 'person':
      return name ? `by ${name}` : 'by a deleted person';
    case 'run':
      return source.runCardNumber === null
        ? 'by an agent, from a run'
        : `by an agent, from a run of card #${source.runCardNumber}`;
    case 'agent':
      return name ? `by agent for ${name}` : 'by an agent';
    case 'widget':
      return 'by a reviewer of a site';
    case 'loupe':
      return 'by Loupe';
  }
}

/** What the card needs now, since when, and what ends it. */
export function StateBox({ card }: { readonly card: FullCard }) {
  const state = card.state;
  if (!state) return null;
  const { word, tone, glyph } = STATE[state.kind];
  return (
    <div className="banner" data-tone={tone} role="status">
      <Glyph name={glyph} />
      <div className="banner__text">
        <b>{word}</b>
        {state.since && (
          <>
            {' '}
            <Since at={state.since} />
          </>
        )}
        . {state.reason} {state.clears}
        {(state.others?.length ?? 0) > 0 && (
          <p className="small">
            Also applies:{' '}
            {state.others?.map((other) => `${STATE[other.kind].word}, ${other.reason}`).join(' ')}
          </p>
        )}
      </div>
    </div>
  );
}

/** When the oldest of what is shown of pull requests was read. */
export function SyncLine({ card }: { readonly card: FullCard }) {
  const times = card.pullRequests.flatMap((link) => (link.state ? [link.state.refreshedAt] : [])).sort();
  const oldest = times[0];
  return oldest ? (
    <span className="faint small">
      read <RelativeTime at={oldest} />
    </span>
  ) : (
    <span className="faint small">not read yet</span>
  );
}

export interface SectionProps {
  readonly level: 2 | 3;
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a card with its heading. */
export function Section({ level, title, aside, children }: SectionProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section>
      <div className="section-head">
        <Heading>{title}</Heading>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Another card, by number and title. */
export function CardLink({ card, onOpen }: { readonly card: CardRef; readonly onOpen: OpenCard }) {
  const { paths } = useBoardSpace();
  return (
    <a
      className="row-title"
      href={paths.card(card.cardId)}
      dir="auto"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(card);
      }}
    >
      <span className="num">#{card.number}</span> {card.title}
    </a>
  );
}

export interface CardRowsProps {
  readonly cards: readonly CardRef[];
  readonly labelOf: (slug: string) => string;
  readonly isFinished: (slug: string) => boolean;
  readonly onOpen: OpenCard;
  readonly before?: (card: CardRef) => string;
}

/** Other cards, one a row, with where they stand. */
export function CardRows({ cards, labelOf, isFinished, onOpen, before }: CardRowsProps) {
  return (
    <ul className="card-rows">
      {cards.map((each) => (
        <li key={each.cardId} className="card-row">
          <Glyph
            name={isFinished(each.status) ? 'done' : 'pending'}
            tone={isFinished(each.status) ? 'good' : 'neutral'}
          />
          {before && <span className="faint small nowrap">{before(each)}</span>}
          <span className="truncate">
            <CardLink card={each} onOpen={onOpen} />
          </span>
          <span className="faint small nowrap push">{labelOf(each.status)}</span>
        </li>
      ))}
    </ul>
  );
}
