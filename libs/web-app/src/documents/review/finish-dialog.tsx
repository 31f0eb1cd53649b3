import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { plural } from '../../components/plural';
import { toast } from '../../components/toast';
import { documentPaths } from '../api';
import { useDraft } from '../drafts/use-draft';
import type { Verdict, VerdictKind } from '../shapes';
import { useReview } from './review-context';

interface VerdictDraft {
  readonly verdict: VerdictKind | null;
  readonly note: string;
}

const NOTE_LIMIT = 10_000;

export interface FinishDialogProps {
  readonly onClose: () => void;
  readonly onOpenNewest: () => void;
}

/** Approve or request changes. The note survives whatever comes between. */
export function FinishDialog({ onClose, onOpenNewest }: FinishDialogProps) {
  const { api, documentId, projectId, review, drafts, actions } = useReview();
  const [draft, keep, drop] = useDraft<VerdictDraft>(drafts, 'verdict');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [newer, setNewer] = useState<number | null>(null);
  /** The verdict that came between; null when the one that stood was withdrawn. */
  const [rival, setRival] = useState<Verdict | null | undefined>(undefined);
  const [previous, setPrevious] = useState<string | null>(review.verdict?.id ?? null);
  const pending = review.threads.filter(({ status }) => status === 'pending').length;
  const verdict = draft?.verdict ?? (pending > 0 ? 'changes-requested' : null);
  const note = draft?.note ?? '';
  const noteNeeded = verdict === 'changes-requested' && pending === 0;
  const blocked =
    verdict === null
      ? 'Choose a verdict first.'
      : noteNeeded && note.trim() === ''
        ? 'Say what should change. No thread is pending that tells the agent.'
        : null;
  const unanswered = review.decisions.filter((one) => one.selections.length === 0 && one.note === null);
  const paths = documentPaths(projectId, documentId);

  // The question comes first, not the button that closes it.
  const choices = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      choices.current?.querySelector<HTMLElement>('input:checked, input')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, []);

  const send = async () => {
    if (blocked || busy || verdict === null) return;
    setBusy(true);
    setProblem(null);
    try {
      const given = await api.verdict(documentId, {
        version: review.version.number,
        verdict,
        ...(note.trim() === '' ? {} : { note }),
        previousVerdictId: previous,
      });
      drop();
      actions.change((now) => ({
        ...now,
        verdict: given,
        document: { ...now.document, status: verdict },
      }));
      toast({
        title: verdict === 'approved' ? 'Approved.' : 'Changes requested.',
        text: 'The agent reads it with its next call.',
      });
      void actions.refresh();
      onClose();
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'stale_version') {
        setNewer(Number(error.body.currentVersion ?? review.document.currentVersion));
      } else if (error instanceof ApiProblem && error.code === 'stale_verdict') {
        const other = (error.body.verdict ?? null) as Verdict | null;
        setRival(other);
        setPrevious(other?.id ?? null);
      } else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Finish review of version ${review.version.number}`}
      onSubmit={() => void send()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy} disabledReason={blocked}>
            {verdict === 'approved' ? 'Approve' : 'Request changes'}
          </Button>
        </>
      }
    >
      {newer !== null && (
        <Banner
          tone="warn"
          alert
          actions={
            <>
              <Link to={paths.diff(review.version.number, newer)}>See changes</Link>
              <Button
                size="sm"
                onClick={() => {
                  onClose();
                  onOpenNewest();
                }}
              >
                Open version {newer}
              </Button>
            </>
          }
        >
          Version {newer} arrived while you were reading. Your note is kept; give the verdict there.
        </Banner>
      )}
      {rival === null && (
        <Banner tone="warn" alert>
          The verdict on this page was withdrawn meanwhile. Send again to give yours.
        </Banner>
      )}
      {rival && (
        <Banner tone="warn" alert>
          {rival.reviewer.name} {rival.verdict === 'approved' ? 'approved' : 'asked for changes'} meanwhile
          {rival.note ? `: “${rival.note}”` : '.'} Send again to put your verdict in its place.
        </Banner>
      )}
      <ProblemBanner problem={problem} />
      <fieldset className="choices" ref={choices}>
        <legend className="visually-hidden">Verdict</legend>
        <Choice
          checked={verdict === 'approved'}
          onChange={() => keep({ verdict: 'approved', note })}
          title="Approve"
          text={
            pending > 0
              ? 'The agent goes on. Open threads stay open and travel with the document.'
              : 'The agent goes on.'
          }
        />
        <Choice
          checked={verdict === 'changes-requested'}
          onChange={() => keep({ verdict: 'changes-requested', note })}
          title="Request changes"
          text={
            pending > 0
              ? `The agent reads your ${plural(pending, 'pending thread')} and revises.`
              : 'The agent reads your note and revises.'
          }
        />
      </fieldset>
      <label className="field">
        <span className="label">
          Note{' '}
          <span className="hint">
            {noteNeeded
              ? 'required, because no thread is pending'
              : verdict === 'changes-requested'
                ? 'optional, because pending threads say what to change'
                : 'optional'}
          </span>
        </span>
        <textarea
          className="textarea"
          dir="auto"
          rows={3}
          maxLength={NOTE_LIMIT}
          required={noteNeeded}
          value={note}
          onChange={(event) => keep({ verdict, note: event.target.value })}
        />
      </label>
      {unanswered.length > 0 && (
        <Banner tone="warn">
          {unanswered.length === 1
            ? 'One decision has no answer from you. You can still finish.'
            : `${unanswered.length} decisions have no answer from you. You can still finish.`}
        </Banner>
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly title: string;
  readonly text: string;
}

function Choice({ checked, onChange, title, text }: ChoiceProps) {
  return (
    <label className="choice">
      <input className="check" type="radio" name="verdict" checked={checked} onChange={onChange} />
      <span className="choice__text">
        <b>{title}</b>
        <br />
        <span className="muted">{text}</span>
      </span>
    </label>
  );
}
