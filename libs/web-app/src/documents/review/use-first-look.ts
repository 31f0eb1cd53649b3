import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { toast } from '../../components/toast';
import { documentPaths } from '../api';
import type { Thread } from '../shapes';
import type { DocumentSurface } from '../surface/document-surface';
import type { ReviewScope } from './review-context';

/**
 * Goes to what the fragment of the address names: a heading, or a thread. A link keeps the id that the thread had
 * when it was copied; the thread itself may live on in a newer version under another one.
 */
export function useFirstLook(
  scope: ReviewScope,
  surface: DocumentSurface | null,
  show: (thread: Thread) => void,
): void {
  const navigate = useNavigate();
  const latest = useRef({ scope, surface, show });
  latest.current = { scope, surface, show };
  useEffect(() => {
    if (!surface) return;
    const gone = new AbortController();
    const look = () => void goTo(window.location.hash.slice(1), gone.signal);
    look();
    window.addEventListener('hashchange', look, { signal: gone.signal });
    return () => gone.abort();

    async function goTo(name: string, signal: AbortSignal): Promise<void> {
      if (name.startsWith('heading-')) window.document.getElementById(name)?.scrollIntoView();
      const id = threadOfHash(`#${name}`);
      if (!id) return;
      const { scope: now, show: open } = latest.current;
      const known = now.review.threads.find((one) => one.id === id);
      if (known) {
        open(known);
        return;
      }
      try {
        const found = await now.api.currentThread(now.documentId, id, signal);
        if (signal.aborted) return;
        const here = latest.current.scope.review.threads.find((one) => one.id === found.id);
        if (here) {
          open(here);
          return;
        }
        const { document, version } = now.review;
        const paths = documentPaths(now.projectId, now.documentId);
        const home = found.version === document.currentVersion ? paths.review : paths.version(found.version);
        if (found.version === version.number) tellGone('It was deleted.');
        else void navigate(`${home}#thread-${found.id}`, { replace: true });
      } catch (error) {
        if (signal.aborted) return;
        tellGone(error instanceof ApiProblem && error.isNotFound ? 'It was deleted.' : sentenceOf(error));
      }
    }
  }, [surface, navigate]);
}

function tellGone(text: string): void {
  toast({ tone: 'warn', title: 'The thread of this link is not here.', text });
}

/** The thread that a fragment such as `#thread-0190…` names. */
export function threadOfHash(hash: string): string | null {
  return hash.startsWith('#thread-') ? hash.slice('#thread-'.length) : null;
}
