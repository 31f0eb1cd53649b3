import { useQuery } from '@tanstack/react-query';
import { CircleCheck, SearchX } from 'lucide-react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { NotFoundPage } from '../../pages/not-found-page';
import { boardKeys } from '../api';
import { CardDrawer } from '../card/card-drawer';
import { useBoardSpace } from '../data/board-space';
import { useBoardFacts } from '../data/use-card';
import { typeOf } from '../model/board-model';
import { changed } from '../model/filters';
import { isNarrowed, rowFiltersOf } from '../model/row-filters';
import { FilterField } from './filter-field';
import { Pages, PartOfCell, TypeCell } from './rows';

/** Everything that was finished in one column, newest first. */
export function FinishedPage() {
  const { columnId = '' } = useParams();
  const project = useCurrentProject();
  const { api, projectId, paths } = useBoardSpace();
  const facts = useBoardFacts();
  const [search, setSearch] = useSearchParams();
  const filters = rowFiltersOf(search);
  const opened = Number(search.get('card')) || null;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: boardKeys.rows(projectId, columnId, filters),
    queryFn: ({ signal }) => api.finished(columnId, filters, signal),
    placeholderData: (before) => before,
  });
  const label = data?.column.label ?? facts?.columns.find((each) => each.columnId === columnId)?.label;
  usePage(label ? `Finished: ${label}` : 'Finished cards', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Board', to: paths.board },
  ]);
  if (!data && error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  return (
    <>
      <PageHead
        title={label ? `Finished: ${label}` : 'Finished cards'}
        aside={data && <span className="page-sub num">{data.total}</span>}
      />
      <search className="filters" aria-label="Finished cards">
        <FilterField
          label="Search finished cards"
          placeholder="Title or number"
          value={filters.q}
          onChange={(q) => setSearch((now) => changed(now, { q, page: null }), { replace: true })}
        />
        <div className="filters__set">
          <Select
            aria-label="Type"
            value={filters.type}
            onChange={(event) => setSearch((now) => changed(now, { type: event.target.value, page: null }))}
          >
            <option value="">Any type</option>
            {facts?.types.map((type) => (
              <option key={type.key} value={type.key}>
                {type.label}
              </option>
            ))}
          </Select>
        </div>
        <span className="filters__result num" role="status">
          {data && plural(data.total, 'card')}
        </span>
      </search>
      {error && !data ? (
        <div className="page-body">
          <LoadProblem error={error} onRetry={() => void refetch()} />
        </div>
      ) : !data || !facts ? (
        <div className="page-body">
          <Skeleton lines={8} />
        </div>
      ) : data.total === 0 ? (
        isNarrowed(filters) ? (
          <EmptyState
            icon={SearchX}
            title="No card matches"
            actions={
              <Button variant="primary" onClick={() => setSearch(new URLSearchParams())}>
                Clear filters
              </Button>
            }
          >
            No finished card has all of these.
          </EmptyState>
        ) : (
          <EmptyState icon={CircleCheck} title="Nothing finished yet">
            Cards that reach this column stay here for good. The board shows only the newest of them.
          </EmptyState>
        )
      ) : (
        <div className="table-host">
          <table className="table" data-narrow="stack" data-sticky aria-busy={isPlaceholderData || undefined}>
            <caption className="visually-hidden">Finished cards, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Card</th>
                <th scope="col">Type</th>
                <th scope="col" data-priority="2">
                  Part of
                </th>
                <th scope="col">Finished</th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.cardId} className="stretch">
                  <th scope="row">
                    <span className="faint num">#{row.number}</span>{' '}
                    <a
                      className="row-title"
                      href={paths.card(row.cardId)}
                      dir="auto"
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                        event.preventDefault();
                        setSearch(changed(search, { card: String(row.number) }));
                      }}
                    >
                      {row.title}
                    </a>
                  </th>
                  <td>
                    <TypeCell type={typeOf(facts, row.type)} />
                  </td>
                  <PartOfCell tile={row} priority="2" />
                  <td data-label="Finished" className="muted nowrap">
                    {row.completedAt && <RelativeTime at={row.completedAt} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pages page={data.page} perPage={data.perPage} total={data.total} />
        </div>
      )}
      {opened !== null && (
        <CardDrawer
          key={opened}
          number={opened}
          onClose={() => setSearch((now) => changed(now, { card: null }), { replace: true })}
          onOpen={(number) => setSearch((now) => changed(now, { card: String(number) }))}
        />
      )}
    </>
  );
}

/** Leads to the first column of finished cards. */
export function FirstFinished() {
  const facts = useBoardFacts();
  const { paths } = useBoardSpace();
  const column = facts?.columns.find((each) => each.terminal);
  if (column) return <Navigate to={paths.finished(column.columnId)} replace />;
  return (
    <div className="page-body">
      <Skeleton />
    </div>
  );
}
