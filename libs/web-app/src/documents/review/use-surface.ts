import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useFlag } from '../../app/session';
import type { Decision, Thread } from '../shapes';
import { isLarge } from '../surface/chunks';
import { DocumentSurface, type PageSelection } from '../surface/document-surface';
import { layOutText } from '../surface/lay-out-text';
import type { NewThread } from './new-thread';
import type { ReviewScope } from './review-context';

export interface SurfaceInput {
  readonly scope: ReviewScope;
  /** A comparison shows no section buttons and no decisions. */
  readonly compares: boolean;
  readonly shown: readonly Thread[];
  readonly activeId: string | null;
  readonly drafts: readonly NewThread[];
  readonly surface: DocumentSurface | null;
  readonly setSurface: (change: (old: DocumentSurface | null) => DocumentSurface | null) => void;
  readonly tellReady?: (root: HTMLElement | null) => void;
  readonly onSelect: (selection: PageSelection | null) => void;
  readonly onPassage: (threadIds: readonly string[] | null) => void;
  readonly onCommentBlock: (block: PageSelection) => void;
}

/** A decision block of the text and what is known of it. */
export interface LiveDecision {
  readonly fieldset: HTMLFieldSetElement;
  readonly decision: Decision;
}

/** Brings the text of the version to life and keeps it in step with the state of the review. */
export function useSurface(input: SurfaceInput): {
  readonly onReady: (element: HTMLElement | null) => void;
  readonly fieldsets: readonly LiveDecision[];
} {
  const { scope, compares, shown, activeId, drafts, surface, setSurface, tellReady } = input;
  const { review, mayWrite } = scope;
  const { plainText } = review.version;
  const latest = useRef(input);
  latest.current = input;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the surface belongs to the text of this version
  const onReady = useCallback(
    (element: HTMLElement | null) => {
      tellReady?.(element);
      if (!element) {
        setSurface((old) => {
          old?.dispose();
          return null;
        });
        return;
      }
      layOutText(element, plainText, latest.current.scope.review.document.title);
      const bringToLife = () => {
        const made = new DocumentSurface(element, plainText, {
          onSelect: (selection) => latest.current.onSelect(selection),
          onPassage: (ids) => latest.current.onPassage(ids),
          onCommentBlock: (block) => latest.current.onCommentBlock(block),
          onApprove: (headingId, approved) =>
            void latest.current.scope.actions.approveSection(headingId, approved),
        });
        setSurface(() => made);
      };
      // A long text is on the screen first; its marks and controls follow.
      if (!isLarge(plainText)) bringToLife();
      else {
        requestAnimationFrame(() =>
          setTimeout(() => {
            if (element.isConnected) bringToLife();
          }),
        );
      }
    },
    [plainText, tellReady],
  );

  useEffect(() => {
    surface?.showThreads(
      shown.flatMap((thread) =>
        thread.anchor && !thread.orphaned
          ? [
              {
                id: thread.id,
                start: thread.anchor.start,
                end: thread.anchor.end,
                comments: 1 + thread.replies.length,
                struck: thread.replacement === '' && thread.status !== 'resolved',
              },
            ]
          : [],
      ),
    );
  }, [surface, shown]);
  useEffect(() => surface?.light(activeId), [surface, activeId]);
  useEffect(() => {
    if (!compares) surface?.showSections(review.sections, mayWrite);
  }, [surface, review.sections, mayWrite, compares]);
  useEffect(() => {
    surface?.showDrafts(
      drafts.flatMap(({ anchor, lost }) =>
        anchor && !lost ? [{ start: anchor.start, end: anchor.start + anchor.quote.length }] : [],
      ),
    );
  }, [surface, drafts]);

  const diagrams = useFlag('review.diagrams.enabled');
  useEffect(() => surface?.showDiagrams(diagrams), [surface, diagrams]);
  useEffect(() => surface?.showTints(review.highlights), [surface, review.highlights]);

  const fieldsets = useMemo(
    () =>
      surface && !compares
        ? [...surface.root.querySelectorAll<HTMLFieldSetElement>('fieldset[data-decision-id]')].flatMap(
            (fieldset) => {
              const decision = review.decisions.find(({ id }) => id === fieldset.dataset.decisionId);
              return decision ? [{ fieldset, decision }] : [];
            },
          )
        : [],
    [surface, review.decisions, compares],
  );

  return { onReady, fieldsets };
}
