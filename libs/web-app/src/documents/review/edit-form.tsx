import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../api/problem';
import { Button } from '../../components/button';
import { useTextDraft } from '../drafts/use-draft';
import type { Thread } from '../shapes';
import { useReview } from './review-context';
import { lastingName } from './thread-list';

/** Changes the words of one's own comment. */
export function EditForm({ thread, onDone }: { readonly thread: Thread; readonly onDone: () => void }) {
  const { api, documentId, actions, drafts } = useReview();
  const [kept, keep] = useTextDraft(drafts, `edit.${lastingName(thread)}`);
  const [text, setText] = useState(kept || thread.body);
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const save = async () => {
    try {
      const changed = await api.edit(documentId, thread.id, text);
      keep('');
      actions.changeThread(thread.id, (now) => ({ ...now, body: changed.body, bodyHtml: changed.bodyHtml }));
      onDone();
    } catch (error) {
      setProblem(`${sentenceOf(error)} Your text is kept.`);
    }
  };
  return (
    <form
      className="stack"
      data-fill
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          onDone();
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void save();
        }
      }}
    >
      <label>
        <span className="visually-hidden">Your comment</span>
        <textarea
          ref={box}
          className="textarea"
          dir="auto"
          rows={3}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            keep(event.target.value);
          }}
        />
      </label>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <Button type="submit" size="sm" variant="primary">
          Save
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            keep('');
            onDone();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}
