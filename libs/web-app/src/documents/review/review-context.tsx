import { createContext, useContext } from 'react';
import type { DocumentsApi } from '../api';
import type { DraftStore } from '../drafts/draft-store';
import type { Review } from '../shapes';
import type { ReviewActions } from './use-review-actions';

/** What every part of the review page needs. */
export interface ReviewScope {
  readonly projectId: string;
  readonly documentId: string;
  readonly review: Review;
  readonly api: DocumentsApi;
  readonly drafts: DraftStore;
  readonly actions: ReviewActions;
  /** The person may write, and the page shows a version that takes it. */
  readonly mayWrite: boolean;
  /** Threads, replies and their status stay open on an archived document; everything else is closed. */
  readonly mayTalk: boolean;
  readonly personId: string;
}

export const ReviewContext = createContext<ReviewScope | null>(null);

export function useReview(): ReviewScope {
  const scope = useContext(ReviewContext);
  if (!scope) throw new Error('This part stands outside a review.');
  return scope;
}
