import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { requestId } from '../../api/request-id';
import { announce } from '../../components/announcer';
import { toast } from '../../components/toast';
import { documentPaths } from '../api';
import { useDraft } from '../drafts/use-draft';
import type { DocumentSurface, PageSelection } from '../surface/document-surface';
import {
  type ComposeMode,
  hasText,
  moveDrafts,
  type NewThread,
  type NewThreadText,
  requestOf,
  textSlot,
} from './new-thread';
import type { ReviewScope } from './review-context';

const SLOT = 'new-threads';

/** Threads that are being written on this document: opening, keeping, sending, putting aside. */
export function useNewThreads(
  scope: ReviewScope,
  surface: DocumentSurface | null,
  onSent: (threadId: string) => void,
) {
  const { drafts: store, review, api, documentId, projectId, actions } = scope;
  const { number: version, plainText } = review.version;
  const [stored, keep] = useDraft<NewThread[]>(store, SLOT);
  const drafts = useMemo(() => stored ?? [], [stored]);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [sending, setSending] = useState<string | null>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const opener = useRef<{ element: Element | null; start: number | null }>({ element: null, start: null });
  const latest = useRef(drafts);
  latest.current = drafts;
  const navigate = useNavigate();

  const write = useCallback(
    (next: NewThread[]) => {
      for (const { key } of latest.current) {
        if (!next.some((draft) => draft.key === key)) store.drop(textSlot(key));
      }
      keep(next);
    },
    [keep, store],
  );
  const filled = useCallback(
    (draft: NewThread): NewThread => ({ ...draft, ...store.read<NewThreadText>(textSlot(draft.key)) }),
    [store],
  );

  // Unsent comments of an older version follow their words into this one.
  useEffect(() => {
    if (!latest.current.some((draft) => draft.version !== version)) return;
    write(moveDrafts(latest.current, version, plainText));
  }, [version, plainText, write]);

  const returnFocus = useCallback(() => {
    const { element, start } = opener.current;
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
    else if (start !== null) surface?.focusBlockAt(start);
  }, [surface]);

  const open = useCallback(
    (mode: ComposeMode, selection: PageSelection | null) => {
      const selected = selection?.selected;
      if (mode !== 'document' && !selected?.ok) {
        if (selected) announce(selected.reason);
        return;
      }
      const anchor =
        mode !== 'document' && selected?.ok ? { quote: selected.quote, start: selected.start } : null;
      opener.current = { element: document.activeElement, start: anchor?.start ?? null };
      document.getSelection()?.removeAllRanges();
      // The same words again: go on with what was begun there.
      const same = latest.current.find(
        (draft) =>
          draft.mode === mode &&
          draft.anchor?.start === anchor?.start &&
          draft.anchor?.quote === anchor?.quote,
      );
      if (same) {
        setOpenKey(same.key);
        return;
      }
      const draft: NewThread = {
        key: requestId(),
        mode,
        anchor,
        version,
        textLength: plainText.length,
        body: '',
        replacement: mode === 'suggest' ? (anchor?.quote ?? '') : '',
      };
      write([...latest.current.filter((one) => hasText(filled(one))), draft]);
      setOpenKey(draft.key);
    },
    [version, plainText, write, filled],
  );

  /** Gives a thread whose words are gone new ones; without a selection it becomes one on the document. */
  const reanchor = useCallback(
    (key: string, selection: PageSelection | null) => {
      const selected = selection?.selected;
      if (selection && !selected?.ok) {
        announce(selected?.reason ?? '');
        return;
      }
      const draft = latest.current.find((one) => one.key === key);
      if (!draft) return;
      const place = { version, textLength: plainText.length, lost: false };
      const next: NewThread = selected?.ok
        ? { ...draft, ...place, anchor: { quote: selected.quote, start: selected.start } }
        : { ...draft, ...place, anchor: null, mode: 'document' };
      write(latest.current.map((one) => (one.key === key ? next : one)));
    },
    [version, plainText, write],
  );

  const discard = useCallback(
    (key: string) => {
      write(latest.current.filter((draft) => draft.key !== key));
      setOpenKey(null);
      returnFocus();
    },
    [write, returnFocus],
  );

  const close = useCallback(() => {
    write(latest.current.filter((one) => hasText(filled(one))));
    setOpenKey(null);
    returnFocus();
  }, [write, filled, returnFocus]);

  const send = useCallback(
    async (key: string) => {
      const draft = latest.current.find((one) => one.key === key);
      if (!draft) return;
      setSending(key);
      setProblems((now) => ({ ...now, [key]: '' }));
      try {
        const thread = await api.comment(documentId, requestOf(filled(draft)), key);
        write(latest.current.filter((one) => one.key !== key));
        setOpenKey(null);
        const newest = Math.max(review.document.currentVersion, thread.version ?? 0);
        if (newest > version) {
          toast({
            title: `Sent, and carried to version ${newest}.`,
            action: {
              label: 'Open it',
              run: () => void navigate(documentPaths(projectId, documentId).review),
            },
          });
        } else {
          actions.change((now) =>
            now.threads.some(({ id }) => id === thread.id)
              ? now
              : { ...now, threads: insert(now.threads, thread) },
          );
          onSent(thread.id);
        }
        announce('Comment sent.');
        void actions.refresh();
      } catch (error) {
        const newer =
          error instanceof ApiProblem && error.code === 'stale_version'
            ? ` Version ${String(error.body.currentVersion ?? 'newer')} no longer holds these words. Open it and attach your comment anew.`
            : '';
        setProblems((now) => ({
          ...now,
          [key]: `${newer ? '' : sentenceOf(error)}${newer} Your text is kept.`.trim(),
        }));
        void actions.refresh();
      } finally {
        setSending(null);
      }
    },
    [
      api,
      documentId,
      projectId,
      actions,
      write,
      filled,
      review.document.currentVersion,
      version,
      navigate,
      onSent,
    ],
  );

  return useMemo(
    () => ({ drafts, openKey, setOpenKey, open, reanchor, discard, close, send, sending, problems }),
    [drafts, openKey, open, reanchor, discard, close, send, sending, problems],
  );
}

/** Keeps the order of the server: whole document first, then by place, those without a passage last. */
function insert<T extends { anchor: { start: number } | null; orphaned: boolean }>(
  threads: readonly T[],
  thread: T,
): T[] {
  const rank = (one: T) => (one.orphaned ? Number.POSITIVE_INFINITY : (one.anchor?.start ?? -1));
  const at = threads.findIndex((one) => rank(one) > rank(thread));
  return at < 0 ? [...threads, thread] : [...threads.slice(0, at), thread, ...threads.slice(at)];
}
