import { fetchReviewAhead } from '../documents/review/review-ahead';
import { queryClient } from './query-client';
import type { router as appRouter } from './router';
import { projectQuery, projectsQuery, sessionQuery } from './session';

interface Ahead {
  /** A page may export this to ask for its data as soon as its code is there, before the project is known. */
  readonly headStart: (
    params: Readonly<Record<string, string | undefined>>,
    location: { readonly pathname: string; readonly search: string },
  ) => void;
}

/**
 * Asks for what the first page surely needs while the code is still on its way, instead of one after the other. What
 * fails here is asked again by the component that needs it, which also tells the reason.
 */
export function giveHeadStart(router: typeof appRouter): void {
  fetchReviewAhead(queryClient, router.state.location.pathname);
  void queryClient.prefetchQuery(sessionQuery);
  void queryClient.prefetchQuery(projectsQuery);
  for (const { route, params } of router.state.matches) {
    const preload = (route.handle as { preload?: () => Promise<Partial<Ahead>> } | undefined)?.preload;
    preload?.()
      .then((page) => page.headStart?.(params, router.state.location))
      .catch(() => undefined);
    if (params.projectId) void queryClient.prefetchQuery(projectQuery(params.projectId));
  }
}
