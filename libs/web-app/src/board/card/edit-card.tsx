import { useEffect, useRef, useState } from 'react';
import type { Location } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { LeaveGuard } from '../../components/leave-guard';
import { useSubmit } from '../../components/use-submit';
import { useBoardSpace } from '../data/board-space';
import { useCardWrites } from '../data/use-card';
import { type CardDraft, changesOf, draftOf, isChanged } from '../model/card-form';
import type { CardType, Column, FullCard } from '../types';
import { CardForm } from './card-form';

export interface EditCardProps {
  readonly card: FullCard;
  readonly gone: boolean;
  readonly types: readonly CardType[];
  readonly columns: readonly Column[];
  readonly onClose: () => void;
}

/**
 * Changes a card. What others change meanwhile never touches the typed text: when title or text changed too, the person
 * is asked first.
 */
export function EditCard({ card, gone, types, columns, onClose }: EditCardProps) {
  const { api, paths } = useBoardSpace();
  const writes = useCardWrites();
  // The card as it was when the form opened; later answers do not change it.
  const [opened] = useState({ draft: draftOf(card), version: card.contentVersion });
  const [draft, setDraft] = useState<CardDraft>(opened.draft);
  const [force, setForce] = useState(false);
  const [saved, setSaved] = useState(false);
  const base = useRef(opened);
  const dirty = isChanged(base.current.draft, draft);

  const { form, run, busy, fields, problem, error } = useSubmit(
    async () => {
      const changes = changesOf(base.current.draft, draft);
      const text = changes.title !== undefined || changes.body !== undefined;
      return api.update(card.cardId, {
        ...changes,
        ...(text && { contentVersion: base.current.version, ...(force && { force: true }) }),
      });
    },
    (answer) => {
      writes.apply(answer);
      base.current = { draft: draftOf(answer.card), version: answer.card.contentVersion };
      setDraft(base.current.draft);
      setForce(false);
      setSaved(true);
    },
  );
  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(onClose, 900);
    return () => clearTimeout(timer);
  }, [saved, onClose]);

  const refused = error instanceof ApiProblem && error.code === 'card_changed';
  const textTyped = draft.title !== base.current.draft.title || draft.body !== base.current.draft.body;
  const changed = !force && textTyped && (refused || card.contentVersion > base.current.version);
  return (
    <form
      ref={form}
      className="stack"
      data-fill
      aria-label={`Edit card ${card.number}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <LeaveGuard dirty={dirty && !gone} leaves={leavesCard} />
      {gone && (
        <Banner tone="bad" alert>
          This card was deleted. Nothing can be saved; copy what you need.
        </Banner>
      )}
      {changed && !gone && (
        <Banner
          tone="warn"
          alert
          actions={
            <Button
              size="sm"
              onClick={() => {
                setForce(true);
                setTimeout(() => form.current?.requestSubmit(), 0);
              }}
            >
              Save anyway
            </Button>
          }
        >
          This card changed since you opened it. Your text is still here.{' '}
          <a href={paths.card(card.cardId)} target="_blank" rel="noreferrer">
            See how it is now
          </a>
        </Banner>
      )}
      <ProblemBanner problem={refused ? null : problem} />
      <CardForm
        draft={draft}
        onChange={(next) => {
          setDraft(next);
          setSaved(false);
        }}
        fields={fields}
        types={types}
        columns={columns}
        self={card.cardId}
        autoFocus
      />
      <div className="row form-foot">
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabledReason={
            gone ? 'This card was deleted' : changed ? 'Choose Save anyway above, or cancel' : null
          }
        >
          {busy ? 'Saving…' : saved && !dirty ? 'Saved' : 'Save'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

/** The drawer stays while only the view of the board beside it changes. */
function leavesCard(from: Location, to: Location): boolean {
  const card = ({ search }: Location) => new URLSearchParams(search).get('card');
  return from.pathname !== to.pathname || card(from) !== card(to);
}
