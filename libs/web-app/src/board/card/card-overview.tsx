import { useQueryClient } from '@tanstack/react-query';
import { Bot, FileText, GitPullRequestArrow, Hand, Pencil, Play, Square } from 'lucide-react';
import { Link } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { ActingSelect } from '../../components/acting-select';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Chip, DocumentStatusChip } from '../../components/chip';
import { Icon } from '../../components/icon';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { documentPaths } from '../../documents/api';
import { DressedText } from '../../documents/surface/dressed-text';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { useCardWrites } from '../data/use-card';
import { LINK_WORDS } from '../model/card-form';
import { headingsBelow } from '../model/headings';
import { pullRequestName, pullRequestWords, safeUrl } from '../model/words';
import type { CardType, Column, FullCard, WriteAnswer } from '../types';

import { CardLink, CardRows, type OpenCard, Section, StateBox, SyncLine, sourceWords } from './card-parts';

export interface CardOverviewProps {
  readonly card: FullCard;
  readonly types: readonly CardType[];
  readonly columns: readonly Column[];
  readonly gone: boolean;
  /** Level of the headings, below the title of the card. */
  readonly level: 2 | 3;
  readonly onOpen: OpenCard;
  /** The button that opens the form. */
  readonly edit: React.RefObject<HTMLButtonElement | null>;
  readonly onEdit: () => void;
}

/** All that a card says, with the ways to move and change it. */
export function CardOverview({ card, types, columns, gone, level, onOpen, edit, onEdit }: CardOverviewProps) {
  const { api, mayWrite, moves, projectId } = useBoardSpace();
  const writes = useCardWrites();
  const queries = useQueryClient();
  const may = mayWrite && !gone;
  const labelOf = (slug: string) => columns.find((column) => column.slug === slug)?.label ?? slug;
  const isFinished = (slug: string) => columns.find((column) => column.slug === slug)?.terminal ?? false;
  const type = types.find((each) => each.key === card.type);
  const write = async (send: Promise<WriteAnswer>, done: string) => {
    try {
      writes.apply(await send);
      toast({ title: done });
    } catch (problem) {
      toast({ tone: 'bad', title: 'Nothing was changed.', text: sentenceOf(problem) });
    }
  };
  const move = async (columnId: string) => {
    const column = columns.find((each) => each.columnId === columnId);
    if (!column) return;
    await moves.move({
      cardId: card.cardId,
      number: card.number,
      fromColumnId: card.columnId,
      columnId,
      order: null,
      label: column.label,
    });
    // The move has asked for the card anew: its own column is shown again when it is here.
    await queries.invalidateQueries({ queryKey: boardKeys.cards(projectId) }, { cancelRefetch: false });
  };
  return (
    <>
      {card.state && <StateBox card={card} />}
      {may && (
        <div className="row card-acts">
          <ActingSelect aria-label="Status" value={card.columnId} onChoose={move}>
            {columns.map((column) => (
              <option key={column.columnId} value={column.columnId}>
                {column.label}
              </option>
            ))}
          </ActingSelect>
          {card.hold ? (
            <Button
              icon={Play}
              onClick={() => void write(api.release(card.cardId), 'The card is managed again')}
            >
              Manage again
            </Button>
          ) : (
            <Button icon={Hand} onClick={() => void write(api.hold(card.cardId), 'The card is unmanaged')}>
              Make unmanaged
            </Button>
          )}
          <Button ref={edit} icon={Pencil} onClick={onEdit}>
            Edit
          </Button>
        </div>
      )}
      {!may && (
        <p className="muted">
          In <b>{labelOf(card.status)}</b>
        </p>
      )}
      {card.hold && (
        <Banner tone="neutral">
          <b>Unmanaged:</b> the workflow makes no move and starts no work on this card. By {card.hold.heldBy},{' '}
          <RelativeTime at={card.hold.since} />.
        </Banner>
      )}
      {card.pause && (
        <Banner
          tone="warn"
          actions={
            may &&
            card.pause.kind !== 'rule' && (
              <Button
                size="sm"
                onClick={() =>
                  void write(api.releasePause(card.cardId, card.pause?.pauseId ?? ''), 'The pause is over')
                }
              >
                End pause
              </Button>
            )
          }
        >
          <b>Paused.</b> {card.pause.reason}
        </Banner>
      )}
      {card.bodyHtml ? (
        <DressedText className="card-text" html={headingsBelow(card.bodyHtml, level)} />
      ) : card.body === '' ? (
        <p className="faint">No text yet.</p>
      ) : (
        <p className="card-plain" dir="auto">
          {card.body}
        </p>
      )}
      {card.progress !== null && (
        <Section
          level={level}
          title="Children"
          aside={
            <span className="faint small num">
              {card.progress.done}/{card.progress.total} done
            </span>
          }
        >
          <progress
            className="progress"
            value={card.progress.done}
            max={Math.max(1, card.progress.total)}
            aria-label="Children done"
          />
          {card.children.length === 0 ? (
            <p className="faint">No child yet. Choose this card as “Part of” on another one.</p>
          ) : (
            <CardRows cards={card.children} labelOf={labelOf} isFinished={isFinished} onOpen={onOpen} />
          )}
          {may && card.lane && (
            <label className="row">
              <input
                className="check"
                type="checkbox"
                checked={card.laneEnabled}
                onChange={(event) =>
                  void write(
                    api.lane(card.cardId, event.target.checked),
                    event.target.checked ? 'The card has a lane' : 'The card is a tile',
                  )
                }
              />{' '}
              Its own lane on the board
            </label>
          )}
        </Section>
      )}
      {card.pullRequests.length > 0 && (
        <Section
          level={level}
          title={card.pullRequests.length === 1 ? 'Pull request' : 'Pull requests'}
          aside={<SyncLine card={card} />}
        >
          <ul className="card-rows">
            {card.pullRequests.map((link) => {
              const href = safeUrl(link.url);
              return (
                <li key={link.pullRequestId} className="card-row" data-wrap>
                  <Icon icon={GitPullRequestArrow} />
                  {href ? (
                    <a className="row-title" href={href} target="_blank" rel="noreferrer">
                      {pullRequestName(link)}
                    </a>
                  ) : (
                    <span>{pullRequestName(link)}</span>
                  )}
                  <span className="row" data-gap="tight">
                    {pullRequestWords(link.state, href !== null).map((each) => (
                      <Chip key={each.word} tone={each.tone} glyph={each.glyph}>
                        {each.word}
                        {each.note && <span>: {each.note}</span>}
                      </Chip>
                    ))}
                  </span>
                </li>
              );
            })}
          </ul>
        </Section>
      )}
      {card.documents.length > 0 && (
        <Section level={level} title="Documents">
          <ul className="card-rows">
            {card.documents.map((each) => (
              <li key={each.documentId} className="card-row">
                <Icon icon={FileText} />
                <Link
                  className="row-title truncate"
                  to={documentPaths(projectId, each.documentId).review}
                  dir="auto"
                >
                  {each.title}
                </Link>
                <DocumentStatusChip status={each.status} variant="plain" />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {card.relatedCards.length > 0 && (
        <Section level={level} title="Linked cards">
          <CardRows
            cards={card.relatedCards}
            labelOf={labelOf}
            isFinished={isFinished}
            onOpen={onOpen}
            before={(each) => LINK_WORDS[(each as FullCard['relatedCards'][number]).kind]}
          />
        </Section>
      )}
      {(card.sessions?.length ?? 0) > 0 && (
        <Section level={level} title="Sessions">
          <ul className="card-rows">
            {card.sessions?.map((session) => (
              <li key={session.runId} className="card-row">
                <Icon icon={Bot} />
                <span className="truncate">{session.name}</span>
                <RelativeTime at={session.openedAt} className="faint small" />
                {may && (
                  <Button
                    size="sm"
                    icon={Square}
                    onClick={() =>
                      void write(api.closeSession(card.cardId, session.runId), 'The session is closed')
                    }
                  >
                    Close session
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section level={level} title="Facts">
        <dl className="facts">
          <dt>Type</dt>
          <dd>{type?.label ?? card.type}</dd>
          {card.parent && (
            <>
              <dt>Part of</dt>
              <dd>
                <CardLink card={card.parent} onOpen={onOpen} />
              </dd>
            </>
          )}
          <dt>Added</dt>
          <dd>
            <RelativeTime at={card.createdAt} /> {sourceWords(card)}
          </dd>
          <dt>Changed</dt>
          <dd>
            <RelativeTime at={card.updatedAt} />
          </dd>
          {card.completedAt && (
            <>
              <dt>Finished</dt>
              <dd>
                <RelativeTime at={card.completedAt} />
              </dd>
            </>
          )}
        </dl>
      </Section>
    </>
  );
}
