import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useMemo, useState } from 'react';
import { sentenceOf } from '../../api/problem';
import { requestId } from '../../api/request-id';
import { announce } from '../../components/announcer';
import { toast } from '../../components/toast';
import { type BoardView, boardKeys } from '../api';
import { forViews, useBoardSpace } from '../data/board-space';
import { laneParameter } from '../data/read-as-deep';
import { type Board, cellAt, columnOf, extended, findTile, merged, OTHER } from '../model/board-model';
import { isFiltered } from '../model/filters';
import { orderForDrop } from '../model/place';
import type { BoardActions } from './board-actions';
import { marks } from './board-marks';
import { Drag } from './drag';

export interface ActionsInput {
  /** What is shown now; read when something is done, so that nothing here changes with the cards. */
  readonly latest: RefObject<{ readonly board: Board; readonly view: BoardView }>;
  readonly onOpen: (number: number) => void;
  readonly moveSelected: (ids: readonly string[], columnId: string) => Promise<void>;
}

/** What the parts of the board do: drag, open, load more, add. The same object as long as the page stands. */
export function useActions({ latest, onOpen, moveSelected }: ActionsInput): BoardActions {
  const { api, moves, queue, paths, mayWrite, projectId } = useBoardSpace();
  const queries = useQueryClient();
  const [drag] = useState(
    () =>
      new Drag({
        hold: () => queue.hold(),
        allow: (ids, place) => {
          const now = latest.current.board;
          if (ids.length > 1) return place;
          if (place.kind === 'cell' && columnOf(now, place.columnId)?.terminal) {
            const tile = findTile(now, ids[0] ?? '');
            const first = { ...place, index: 0 };
            return tile?.columnId === place.columnId
              ? orderForDrop(now, ids[0] ?? '', first) && first
              : first;
          }
          return orderForDrop(now, ids[0] ?? '', place) ? place : null;
        },
        drop: (ids, place) => {
          const now = latest.current.board;
          if (ids.length > 1) {
            const columnId =
              place.kind === 'backlog'
                ? now.columns.find((column) => column.backlog)?.columnId
                : place.columnId;
            if (columnId) void moveSelected(ids, columnId);
            return;
          }
          const order = orderForDrop(now, ids[0] ?? '', place);
          if (order) void moves.move(order);
        },
      }),
  );

  return useMemo<BoardActions>(
    () => ({
      paths,
      mayWrite,
      drag,
      shown: () => latest.current.board,
      open: onOpen,
      lift: (cardId) => {
        if (!mayWrite) return null;
        const { selected } = marks.get();
        return selected.has(cardId) && selected.size > 1 ? [...selected] : [cardId];
      },
      more: async (laneId, columnId) => {
        const { board: now, view: of } = latest.current;
        const cell = cellAt(now, laneId, columnId);
        try {
          const last = cell.tiles.at(-1);
          const page = await api.more(of, {
            columnId,
            laneId: laneParameter(now, laneId),
            after: last?.cardId,
            afterOrder: last?.order,
          });
          queries.setQueryData<Board>(
            boardKeys.view(projectId, of),
            (base) => base && extended(base, laneId, columnId, page.tiles, page.total),
          );
        } catch (problem) {
          toast({ tone: 'bad', title: 'No more cards were loaded.', text: sentenceOf(problem) });
        }
      },
      add: async (columnId, laneId, title) => {
        try {
          const answer = await api.create(
            { title, columnId, parentCardId: laneId === OTHER ? undefined : laneId },
            requestId(),
          );
          queue.wrote(answer.card.cardId, answer.revision);
          const now = new Date().toISOString();
          forViews(queries, projectId, (base, of) =>
            isFiltered(of) ? null : merged(base, { tiles: [answer.tile], gone: [] }, now),
          );
          announce(`Card ${answer.card.number} added`);
          return true;
        } catch (problem) {
          toast({ tone: 'bad', title: 'The card was not added.', text: sentenceOf(problem) });
          return false;
        }
      },
    }),
    [paths, mayWrite, drag, onOpen, api, queries, projectId, queue, latest],
  );
}
