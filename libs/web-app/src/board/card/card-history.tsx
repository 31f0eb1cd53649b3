import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../components/button';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { actorName, eventWords } from '../model/history-words';

export interface CardHistoryProps {
  readonly cardId: string;
  readonly onOpen: (card: { readonly cardId: string; readonly number: number }) => void;
}

/** What happened to a card, newest first, 50 rows at a time. */
export function CardHistory({ cardId }: CardHistoryProps) {
  const { api, projectId } = useBoardSpace();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: boardKeys.history(projectId, cardId),
    queryFn: ({ pageParam, signal }) => api.history(cardId, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.hasMore ? last.page + 1 : undefined),
  });
  if (error && !data) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  // A row that came meanwhile pushes others to the next page; each is shown once.
  const seen = new Set<string>();
  const events = data.pages
    .flatMap((page) => page.events)
    .filter(({ id }) => !seen.has(id) && Boolean(seen.add(id)));
  return (
    <div className="stack" data-fill>
      <ol className="timeline">
        {events.map((event) => (
          <li key={event.id} className="timeline__row" data-by={event.actor.kind}>
            <span>
              <b dir="auto">{actorName(event)}</b> {eventWords(event)}
            </span>
            <RelativeTime at={event.occurredAt} className="faint small nowrap" />
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
    </div>
  );
}
