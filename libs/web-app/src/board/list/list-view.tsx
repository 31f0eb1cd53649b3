import { useQuery } from '@tanstack/react-query';
import { List, SearchX } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../components/empty-state';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { type BoardView, boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { type Board, columnOf, typeOf } from '../model/board-model';
import { isNarrowed, rowFiltersOf } from '../model/row-filters';
import type { Tile } from '../types';
import { Pages, PartOfCell, SortHead, StateCell, TypeCell } from './rows';

export interface ListViewProps {
  readonly view: BoardView;
  readonly board: Board;
  readonly onOpen: (number: number) => void;
}

/** All open cards in one table, by column then rank unless another order is chosen. */
export function ListView({ board, onOpen }: ListViewProps) {
  const { api, projectId } = useBoardSpace();
  const [search] = useSearchParams();
  const filters = rowFiltersOf(search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: boardKeys.rows(projectId, 'list', filters),
    queryFn: ({ signal }) => api.list(filters, signal),
    placeholderData: (before) => before,
  });
  if (error && !data) {
    return (
      <div className="page-body">
        <LoadProblem error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className="page-body">
        <Skeleton lines={8} />
      </div>
    );
  }
  if (data.total === 0) {
    return isNarrowed(filters) ? (
      <EmptyState icon={SearchX} title="No card matches">
        No open card has all of these. Try fewer words, or another type or state.
      </EmptyState>
    ) : (
      <EmptyState icon={List} title="No open cards">
        Cards that are neither finished nor in the Backlog show here.
      </EmptyState>
    );
  }
  return (
    <div className="table-host">
      <table className="table" data-narrow="stack" data-sticky aria-busy={isPlaceholderData || undefined}>
        <caption className="visually-hidden">Open cards</caption>
        <thead>
          <tr>
            <SortHead name="number" first="desc">
              Card
            </SortHead>
            <SortHead name="column" first="asc" natural="asc">
              Column
            </SortHead>
            <SortHead name="type" first="asc">
              Type
            </SortHead>
            <SortHead name="epic" first="asc" priority="3">
              Part of
            </SortHead>
            <th scope="col">State</th>
            <SortHead name="updated" first="desc" priority="2">
              Changed
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <ListRow key={row.cardId} row={row} board={board} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
      <Pages page={data.page} perPage={data.perPage} total={data.total} />
    </div>
  );
}

function ListRow({
  row,
  board,
  onOpen,
}: {
  readonly row: Tile;
  readonly board: Board;
  readonly onOpen: (n: number) => void;
}) {
  const { paths } = useBoardSpace();
  const column = columnOf(board, row.columnId);
  return (
    <tr className="stretch">
      <th scope="row">
        <span className="faint num">#{row.number}</span>{' '}
        <a
          className="row-title"
          href={paths.card(row.cardId)}
          dir="auto"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(row.number);
          }}
        >
          {row.title}
        </a>
      </th>
      <td className="nowrap">
        {column && (
          <span className="row" data-gap="tight">
            <span className="dot" data-colour={column.colour} />
            {column.label}
          </span>
        )}
      </td>
      <td>
        <TypeCell type={typeOf(board, row.type)} />
      </td>
      <PartOfCell tile={row} priority="3" />
      <td data-none={(!row.state && !row.held && row.chips.length === 0) || undefined}>
        <StateCell tile={row} />
      </td>
      <td data-label="Changed" data-priority="2" className="muted nowrap">
        <RelativeTime at={row.updatedAt} />
      </td>
    </tr>
  );
}
