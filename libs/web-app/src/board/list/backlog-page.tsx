import { useQuery } from '@tanstack/react-query';
import { FolderInput, Inbox, Plus, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { useStore } from '../../app/store';
import { Banner } from '../../components/banner';
import { Button, ButtonLink, IconButton } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { Menu, MenuItem } from '../../components/menu';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { boardKeys } from '../api';
import { CardDrawer } from '../card/card-drawer';
import { BulkBar } from '../columns/bulk-bar';
import { useBoardSpace } from '../data/board-space';
import { useBoardFacts } from '../data/use-card';
import { typeOf } from '../model/board-model';
import { changed } from '../model/filters';
import { isNarrowed, rowFiltersOf } from '../model/row-filters';
import type { Column, Tile } from '../types';
import { FilterField } from './filter-field';
import { Pages, PartOfCell, SortHead, TypeCell } from './rows';

/** What may be done one day: found, sorted and moved on, one by one or many at once. */
export function BacklogPage() {
  const project = useCurrentProject();
  const { api, projectId, paths, mayWrite, moves, changes } = useBoardSpace();
  const go = useNavigate();
  const [search, setSearch] = useSearchParams();
  const filters = rowFiltersOf(search);
  const opened = Number(search.get('card')) || null;
  const facts = useBoardFacts();
  const [selected, setSelected] = useState<ReadonlyMap<string, Tile>>(new Map());
  const [busy, setBusy] = useState(false);
  usePage('Backlog', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Board', to: paths.board },
  ]);
  useKeys(
    'Backlog',
    mayWrite ? [{ keys: 'n', label: 'Add a card', run: () => void go(paths.create()) }] : [],
  );

  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useQuery({
    queryKey: boardKeys.rows(projectId, 'backlog', filters),
    queryFn: ({ signal }) => api.backlog(filters, signal),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  });
  // What others do is only told: rows never move under the pointer by themselves.
  const count = useStore(changes);
  const [seen, setSeen] = useState(count);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer shows all that was told before
  useEffect(() => setSeen(changes.get()), [dataUpdatedAt, changes]);

  const set = (part: Readonly<Record<string, string | null>>, replace = false) =>
    setSearch((now) => changed(now, { page: null, ...part }), { replace });
  const columns = (facts?.columns ?? []).filter((column) => !column.backlog);
  const moveOne = async (row: Tile, column: Column) => {
    await moves.move({
      cardId: row.cardId,
      number: row.number,
      fromColumnId: row.columnId,
      columnId: column.columnId,
      order: null,
      label: column.label,
    });
    await refetch();
  };
  const moveMany = async (column: Column) => {
    const cards = [...selected.values()].sort((a, b) => a.order - b.order);
    setBusy(true);
    if (await moves.moveMany(cards, column.columnId, column.label)) {
      setSelected(new Map());
      await refetch();
    }
    setBusy(false);
  };
  const toggle = (row: Tile) =>
    setSelected((now) => {
      const next = new Map(now);
      if (!next.delete(row.cardId)) next.set(row.cardId, row);
      return next;
    });
  const all = data?.rows.length ? data.rows.every((row) => selected.has(row.cardId)) : false;

  return (
    <>
      <PageHead
        title="Backlog"
        aside={data && <span className="page-sub num">{data.total}</span>}
        actions={
          mayWrite && (
            <ButtonLink variant="primary" icon={Plus} to={paths.create()}>
              Add card
            </ButtonLink>
          )
        }
      />
      <search className="filters" aria-label="Backlog">
        <FilterField
          label="Search the Backlog"
          placeholder="Title or number"
          value={filters.q}
          onChange={(q) => set({ q }, true)}
        />
        <div className="filters__set">
          <Select
            aria-label="Type"
            value={filters.type}
            onChange={(event) => set({ type: event.target.value })}
          >
            <option value="">Any type</option>
            {facts?.types.map((type) => (
              <option key={type.key} value={type.key}>
                {type.label}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Epic"
            value={filters.epic}
            onChange={(event) => set({ epic: event.target.value })}
          >
            <option value="">Any epic</option>
            <option value="none">No epic</option>
            {data?.epics.map((epic) => (
              <option key={epic.cardId} value={epic.cardId}>
                #{epic.number} {epic.title}
              </option>
            ))}
          </Select>
          {isNarrowed(filters) && (
            <Button variant="ghost" onClick={() => setSearch(new URLSearchParams())}>
              Clear
            </Button>
          )}
        </div>
        <span className="filters__result num" role="status">
          {data &&
            (isNarrowed(filters) ? plural(data.total, 'match', 'matches') : plural(data.total, 'card'))}
        </span>
      </search>
      {count > seen && (
        <div className="shell-banner">
          <Banner
            actions={
              <Button size="sm" onClick={() => void refetch()}>
                Reload
              </Button>
            }
          >
            The board changed.
          </Banner>
        </div>
      )}
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
            No card in the Backlog has all of these.
          </EmptyState>
        ) : (
          <EmptyState
            icon={Inbox}
            title="The Backlog is empty"
            actions={
              mayWrite && (
                <ButtonLink variant="primary" icon={Plus} to={paths.create()}>
                  Add card
                </ButtonLink>
              )
            }
          >
            Cards that nobody has planned yet wait here. Agents and people add them.
          </EmptyState>
        )
      ) : (
        <div className="table-host">
          <table className="table" data-narrow="stack" data-sticky aria-busy={isPlaceholderData || undefined}>
            <caption className="visually-hidden">Cards in the Backlog</caption>
            <thead>
              <tr>
                {mayWrite && (
                  <th scope="col" className="tick">
                    <input
                      className="check"
                      type="checkbox"
                      aria-label="Select all on this page"
                      checked={all}
                      onChange={() =>
                        setSelected((now) => {
                          const next = new Map(now);
                          for (const row of data.rows) {
                            if (all) next.delete(row.cardId);
                            else next.set(row.cardId, row);
                          }
                          return next;
                        })
                      }
                    />
                  </th>
                )}
                <th scope="col">Card</th>
                <SortHead name="type" first="asc">
                  Type
                </SortHead>
                <SortHead name="epic" first="asc" priority="3">
                  Part of
                </SortHead>
                <th scope="col" className="end" data-priority="3">
                  Feedback
                </th>
                <SortHead name="added" first="desc" natural="desc" priority="2">
                  Added
                </SortHead>
                {mayWrite && (
                  <th scope="col">
                    <span className="visually-hidden">Move</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr
                  key={row.cardId}
                  className="stretch"
                  aria-selected={selected.has(row.cardId) || undefined}
                >
                  {mayWrite && (
                    <td className="tick">
                      <input
                        className="check"
                        type="checkbox"
                        aria-label={`Select card ${row.number}`}
                        checked={selected.has(row.cardId)}
                        onChange={() => toggle(row)}
                      />
                    </td>
                  )}
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
                  <PartOfCell tile={row} priority="3" />
                  <td
                    data-label="Feedback"
                    data-priority="3"
                    className="end num muted"
                    data-none={row.feedbackPending === 0 || undefined}
                  >
                    {row.feedbackPending > 0 && row.feedbackPending}
                  </td>
                  <td data-label="Added" data-priority="2" className="muted nowrap">
                    <RelativeTime at={row.createdAt} />
                  </td>
                  {mayWrite && (
                    <td className="end row-act">
                      <Menu
                        align="end"
                        label="Move to"
                        trigger={
                          <IconButton label={`Move card ${row.number} to`} icon={FolderInput} size="sm" />
                        }
                      >
                        {columns.map((column) => (
                          <MenuItem key={column.columnId} onSelect={() => void moveOne(row, column)}>
                            {column.label}
                          </MenuItem>
                        ))}
                      </Menu>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          <Pages page={data.page} perPage={data.perPage} total={data.total} />
        </div>
      )}
      {selected.size > 0 && (
        <BulkBar
          count={selected.size}
          columns={columns}
          busy={busy}
          onMove={(column) => void moveMany(column)}
          onClear={() => setSelected(new Map())}
        />
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
