import { useEffect, useRef } from 'react';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import type { DraftStore } from '../drafts/draft-store';
import { useDraft } from '../drafts/use-draft';
import { motion } from '../surface/motion';
import { type NewThread, type NewThreadText, sendProblem, textSlot } from './new-thread';

export interface ComposerProps {
  readonly draft: NewThread;
  readonly store: DraftStore;
  readonly busy: boolean;
  readonly problem: string | null;
  /** For words that are gone: takes the selected ones, or none at all. */
  readonly onReanchor: (toSelection: boolean) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

const SEND = {
  comment: 'Comment',
  document: 'Comment',
  suggest: 'Suggest wording',
  strike: 'Strike',
} as const;
const NAME = {
  comment: 'New comment',
  document: 'Comment on the document',
  suggest: 'Suggested wording',
  strike: 'Strike this passage',
} as const;

/** Writes a new thread: a comment, another wording, or a strike. */
export function Composer(props: ComposerProps) {
  const { busy, problem, store, onReanchor, onSend, onClose, onDiscard } = props;
  const [text, keepText] = useDraft<NewThreadText>(store, textSlot(props.draft.key));
  const draft = { ...props.draft, ...text };
  const write = (part: Partial<NewThreadText>) =>
    keepText({ body: draft.body, replacement: draft.replacement, ...part });
  const form = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLTextAreaElement>(null);
  const { mode } = props.draft;
  useEffect(() => {
    const box = first.current;
    box?.focus({ preventScroll: true });
    // Going on with what was put aside: behind its last word.
    if (mode === 'suggest') box?.select();
    else box?.setSelectionRange(box.value.length, box.value.length);
    if (mode !== 'document') return;
    // It stands at the top of the margin, which may be far away; wait until it has its place.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() =>
        form.current?.scrollIntoView({ block: 'center', behavior: motion() }),
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [mode]);
  const blocked = sendProblem(draft);
  const suggests = draft.mode === 'suggest';
  return (
    <form
      ref={form}
      className="composer"
      aria-label={NAME[draft.mode]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked && !busy) onSend();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          if (!blocked && !busy) onSend();
        } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }
      }}
    >
      {draft.mode === 'document' ? (
        <span className="mini-head">On the whole document</span>
      ) : (
        draft.anchor && (
          <blockquote
            className={draft.mode === 'strike' ? 'thread__quote quote-struck' : 'thread__quote'}
            dir="auto"
          >
            {draft.anchor.quote}
          </blockquote>
        )
      )}
      {draft.lost && (
        <>
          <p className="error" role="alert">
            These words are gone in the version on the page. Your text is kept.
          </p>
          <div className="row">
            <Button
              size="sm"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onReanchor(true)}
            >
              Attach to selection
            </Button>
            <Button size="sm" variant="ghost" onClick={() => onReanchor(false)}>
              Comment on the document
            </Button>
          </div>
        </>
      )}
      {suggests && (
        <label className="field">
          <span className="label">New wording</span>
          <textarea
            ref={first}
            className="textarea"
            dir="auto"
            rows={3}
            value={draft.replacement}
            onChange={(event) => write({ replacement: event.target.value })}
          />
        </label>
      )}
      <label className="field">
        <span className={suggests || draft.mode === 'strike' ? 'label' : 'visually-hidden'}>
          {suggests || draft.mode === 'strike' ? (
            <>
              Why <span className="hint">optional</span>
            </>
          ) : (
            'Your comment'
          )}
        </span>
        <textarea
          ref={suggests ? undefined : first}
          className="textarea"
          dir="auto"
          rows={suggests ? 2 : 3}
          placeholder={suggests || draft.mode === 'strike' ? undefined : 'What should the author know or do?'}
          value={draft.body}
          onChange={(event) => write({ body: event.target.value })}
        />
      </label>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="composer__foot">
        <span className="hint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends
        </span>
        <Button variant="ghost" size="sm" onClick={onDiscard}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" size="sm" busy={busy} disabledReason={blocked}>
          {SEND[draft.mode]}
        </Button>
      </div>
    </form>
  );
}

export interface FoldedDraftProps {
  readonly draft: NewThread;
  readonly store: DraftStore;
  readonly onOpen: () => void;
  readonly onDiscard: () => void;
}

/** A thread whose writing was put aside. */
export function FoldedDraft(props: FoldedDraftProps) {
  const { store, onOpen, onDiscard } = props;
  const [text] = useDraft<NewThreadText>(store, textSlot(props.draft.key));
  const draft = { ...props.draft, ...text };
  return (
    <div className="composer">
      <div className="row">
        <Chip tone="neutral" glyph="draft" variant="plain">
          Not sent yet
        </Chip>
      </div>
      <p className="draft-words" dir="auto">
        {draft.body.trim() || draft.replacement}
      </p>
      <div className="composer__foot">
        <Button size="sm" onClick={onOpen}>
          Go on writing
        </Button>
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
