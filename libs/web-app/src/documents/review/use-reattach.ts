import { useCallback, useRef, useState } from 'react';
import { sentenceOf } from '../../api/problem';
import { announce } from '../../components/announcer';
import { toast } from '../../components/toast';
import type { DocumentSurface, PageSelection } from '../surface/document-surface';
import type { ReviewScope } from './review-context';

/** Gives a thread that lost its words new ones: the selection there is, or the next one. */
export function useReattach(
  scope: ReviewScope,
  surface: DocumentSurface | null,
  onAttached: (threadId: string) => void,
) {
  const { actions, api, documentId, review } = scope;
  const version = review.version.number;
  /** The thread that waits for a selection. */
  const [attaching, setAttaching] = useState<string | null>(null);
  const tell = useRef(onAttached);
  tell.current = onAttached;

  const attach = useCallback(
    async (id: string, target: PageSelection | null) => {
      if (!target?.selected.ok) return;
      const { quote, start } = target.selected;
      setAttaching(null);
      window.document.getSelection()?.removeAllRanges();
      try {
        await api.reattach(documentId, id, version, { quote, start });
        announce('Attached to the selection.');
        tell.current(id);
      } catch (error) {
        toast({ tone: 'bad', title: 'The thread was not attached.', text: sentenceOf(error) });
      } finally {
        void actions.refresh();
      }
    },
    [api, documentId, version, actions],
  );
  const reattach = useCallback(
    (id: string) => {
      const target = surface?.target() ?? null;
      if (target?.selected.ok && window.document.getSelection()?.isCollapsed === false)
        void attach(id, target);
      else setAttaching((now) => (now === id ? null : id));
    },
    [surface, attach],
  );
  return { attaching, setAttaching, attach, reattach };
}
