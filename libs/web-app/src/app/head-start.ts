import { queryClient } from './query-client';
import type { router as appRouter } from './router';
import { projectQuery, projectsQuery, sessionQuery } from './session';

/**
 * Asks for what the first page surely needs while the code is still on its way, instead of one after the other. What
 * fails here is asked again by the component that needs it, which also tells the reason.
 */
export function giveHeadStart(router: typeof appRouter): void {
  void queryClient.prefetchQuery(sessionQuery);
  void queryClient.prefetchQuery(projectsQuery);
  for (const { route, params } of router.state.matches) {
    (route.handle as { preload?: () => Promise<unknown> } | undefined)?.preload?.().catch(() => undefined);
    if (params.projectId) void queryClient.prefetchQuery(projectQuery(params.projectId));
  }
}
