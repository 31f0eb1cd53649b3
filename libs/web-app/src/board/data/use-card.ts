import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { boardKeys, type CardAddress } from '../api';
import { merged } from '../model/board-model';
import { isFiltered } from '../model/filters';
import type { FullCard, WriteAnswer } from '../types';
import { forViews, useBoardSpace } from './board-space';

export function useCard(at: CardAddress) {
  const { api, projectId } = useBoardSpace();
  return useQuery({
    queryKey: boardKeys.card(projectId, at),
    queryFn: ({ signal }) => api.card(at, signal),
  });
}

/** The columns and types that a form of a card needs, whether the board is on screen or not. */
export function useBoardFacts() {
  const { readBoard, projectId } = useBoardSpace();
  const view = { lanes: true, q: '', type: '', state: '' };
  return useQuery({
    queryKey: boardKeys.view(projectId, view),
    queryFn: ({ signal }) => readBoard(view, signal),
    staleTime: 60_000,
  }).data;
}

/** Shows the answer of a write at once, everywhere. */
export function useCardWrites() {
  const { projectId, queue } = useBoardSpace();
  const queries = useQueryClient();
  return useMemo(
    () => ({
      apply({ card, tile, revision }: WriteAnswer): void {
        queue.wrote(card.cardId, revision);
        const now = new Date().toISOString();
        forViews(queries, projectId, (board, view) =>
          isFiltered(view) ? null : merged(board, { tiles: [tile], gone: [] }, now),
        );
        for (const at of [{ cardId: card.cardId }, { number: card.number }] as const) {
          queries.setQueryData<FullCard>(boardKeys.card(projectId, at), card);
        }
        void queries.invalidateQueries({ queryKey: boardKeys.history(projectId, card.cardId) });
        void queries.invalidateQueries({ queryKey: boardKeys.lists(projectId) });
      },
      removed(cardId: string): void {
        queue.wrote(cardId, Number.MAX_SAFE_INTEGER);
        forViews(queries, projectId, (board) =>
          merged(board, { tiles: [], gone: [cardId] }, new Date().toISOString()),
        );
        void queries.invalidateQueries({ queryKey: boardKeys.lists(projectId) });
        void queries.invalidateQueries({ queryKey: boardKeys.views(projectId) });
      },
    }),
    [projectId, queries, queue],
  );
}
