import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useSession } from '../../app/session';
import { documentsApi } from '../api';
import { draftsOf } from '../drafts/draft-store';
import type { ReviewScope } from '../review/review-context';
import { ReviewWorkspace } from '../review/review-workspace';
import { useReviewActions } from '../review/use-review-actions';
import type { Review } from '../shapes';
import { changeElement } from './change-element';

export interface RenderedComparisonProps {
  readonly projectId: string;
  readonly documentId: string;
  readonly review: Review;
  readonly html: string;
  readonly bar: ReactNode;
  readonly from: number;
  readonly current: number;
}

/** The newer text with its changes marked, and the threads of the review beside it. */
export function RenderedComparison(props: RenderedComparisonProps) {
  const { projectId, documentId, review, html, bar, from, current } = props;
  const { person } = useSession();
  const api = useMemo(() => documentsApi(projectId), [projectId]);
  const actions = useReviewActions(projectId, documentId, review.version.number, api);
  const root = useRef<HTMLElement | null>(null);
  const isCurrent = review.version.isCurrent;
  const scope = useMemo<ReviewScope>(
    () => ({
      projectId,
      documentId,
      review,
      api,
      actions,
      drafts: draftsOf(`document.${documentId}`),
      mayWrite: review.mayContribute && isCurrent && !review.document.archived,
      mayTalk: review.mayContribute && isCurrent,
      personId: person.id,
    }),
    [projectId, documentId, review, api, actions, isCurrent, person.id],
  );
  const onReady = useCallback((element: HTMLElement | null) => {
    root.current = element;
  }, []);
  useEffect(() => {
    for (const old of root.current?.querySelectorAll('[data-current-change]') ?? []) {
      old.removeAttribute('data-current-change');
    }
    changeElement(current + 1)?.setAttribute('data-current-change', '');
  }, [current]);
  return (
    <ReviewWorkspace
      scope={scope}
      lastSeen={null}
      readOnly={false}
      onOpenNewest={() => undefined}
      comparison={{
        html,
        bar: (
          <>
            {bar}
            {!isCurrent && (
              <p className="compare-why hint">
                Comments go to the newest version. Choose version {review.document.currentVersion} on the
                right side to write one.
              </p>
            )}
          </>
        ),
        title: `Compare version ${from} and version ${review.version.number} of ${review.document.title}`,
        onReady,
      }}
    />
  );
}
