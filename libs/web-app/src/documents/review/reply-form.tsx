import { type ReactNode, useRef, useState } from 'react';
import { sentenceOf } from '../../api/problem';
import { requestId } from '../../api/request-id';
import { announce } from '../../components/announcer';
import { Button } from '../../components/button';
import { useTextDraft } from '../drafts/use-draft';
import type { Thread } from '../shapes';
import { useReview } from './review-context';
import { lastingName } from './thread-list';

export interface ReplyFormProps {
  readonly thread: Thread;
  readonly onEscape: () => void;
  /** What else can be done with the thread, in the same line as sending. */
  readonly children: ReactNode;
}

/** Answers in a thread. The text is kept until it is sent. */
export function ReplyForm({ thread, onEscape, children }: ReplyFormProps) {
  const { api, documentId, actions, drafts } = useReview();
  const [text, setText] = useTextDraft(drafts, `reply.${lastingName(thread)}`);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const request = useRef<string>(undefined);
  const blank = text.trim() === '';
  const send = async () => {
    if (blank || busy) return;
    setBusy(true);
    setProblem(null);
    request.current ??= requestId();
    try {
      const reply = await api.reply(documentId, thread.id, text, request.current);
      request.current = undefined;
      setText('');
      actions.changeThread(thread.id, (now) => ({
        ...now,
        status: now.status === 'addressed' ? 'pending' : now.status,
        replies: now.replies.some(({ id }) => id === reply.id) ? now.replies : [...now.replies, reply],
      }));
      announce('Reply sent.');
      void actions.refresh();
    } catch (error) {
      setProblem(`${sentenceOf(error)} Your text is kept.`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void send();
        } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.stopPropagation();
          onEscape();
        }
      }}
    >
      <label>
        <span className="visually-hidden">Your reply</span>
        <textarea
          className="textarea"
          data-reply={thread.id}
          dir="auto"
          rows={2}
          placeholder="Reply. The agent reads it with the review."
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="composer__foot">
        {children}
        <Button
          type="submit"
          title="Ctrl Enter sends"
          variant="primary"
          size="sm"
          busy={busy}
          disabledReason={blank ? 'Write something first.' : null}
        >
          Send reply
        </Button>
      </div>
    </form>
  );
}
