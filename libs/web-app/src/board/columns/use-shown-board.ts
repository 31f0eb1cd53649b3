import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLiveState } from '../../api/live';
import { useStore } from '../../app/store';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { moved } from '../model/board-model';
import { viewOf } from '../model/filters';

/** The board as the server has it, with the moves on top that it has not answered yet. */
export function useShownBoard(view: ReturnType<typeof viewOf>) {
  const { projectId, readBoard, moves } = useBoardSpace();
  const live = useLiveState();
  const query = useQuery({
    queryKey: boardKeys.view(projectId, view),
    queryFn: ({ signal }) => readBoard(view, signal),
    placeholderData: (before) => before,
    staleTime: 60_000,
    refetchOnWindowFocus: live !== 'live',
  });
  const pending = useStore(moves.pending);
  const base = query.data;
  const board = useMemo(
    () => base && pending.reduce((now, wish) => moved(now, wish, wish.now), base),
    [base, pending],
  );
  return { board, error: query.error, refetch: query.refetch, isStale: query.isPlaceholderData };
}
