import type { QueryClient } from '@tanstack/react-query';
import { documentKeys, documentsApi } from '../api';

/**
 * Asks for the review of the address before anything else: the text is the longest way, and the code of the page comes
 * meanwhile. The address must name the project by its id; else nothing is gained and nothing lost.
 */
export function fetchReviewAhead(queries: QueryClient, pathname: string): void {
  const found = /^\/projects\/([^/]+)\/documents\/([^/]+)\/review\/?$/.exec(pathname);
  if (!found) return;
  const [, projectId = '', documentId = ''] = found;
  void queries.prefetchQuery({
    queryKey: documentKeys.review(projectId, documentId, null),
    queryFn: ({ signal }) => documentsApi(projectId).review(documentId, null, signal),
    staleTime: 2_000,
    retry: false,
  });
}
