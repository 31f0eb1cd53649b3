import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Library, Plus, SearchX } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { mayContribute } from '../../app/session';
import { Button, ButtonLink } from '../../components/button';
import { Chip } from '../../components/chip';
import { EmptyState } from '../../components/empty-state';
import { SearchInput, Select } from '../../components/field';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { type DocumentRow, documentKeys, documentPaths, documentsApi, type ListFilters } from '../api';
import { plural, STATUS, StatusChip } from '../status';
import { filtersOf, isFiltered, STATUSES, searchOf } from './list-filters';

const TYPING_PAUSE_MS = 250;

/** All documents of a project: what waits for the reader, found by words, status, tag and series. */
export function ListPage() {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search);
  const paths = documentPaths(project.id);
  const may = mayContribute(project.role);
  usePage('Documents', [{ label: project.name, to: `/projects/${project.id}` }]);

  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: documentKeys.list(project.id, filters),
    queryFn: ({ signal }) => api.list(filters, signal),
    placeholderData: (before) => before,
  });
  useLive([`project:${project.id}:documents`], () => {
    void queries.invalidateQueries({ queryKey: [...documentKeys.root(project.id), 'list'] });
  });

  const change = (part: Partial<ListFilters>, replace = false) =>
    setSearch(searchOf({ ...filters, page: 1, ...part }), { replace });

  const searchField = useRef<HTMLInputElement>(null);
  useKeys('Documents', [
    ...(may
      ? [{ keys: 'n', label: 'New document', run: () => document.getElementById('new-document')?.click() }]
      : []),
  ]);

  const waiting = data?.documents.filter((row) => row.waitingThreads > 0).length ?? 0;
  const empty = data && data.total === 0;
  return (
    <>
      <PageHead
        title="Documents"
        aside={data && <span className="page-sub num">{data.total}</span>}
        actions={
          may && (
            <ButtonLink id="new-document" variant="primary" icon={Plus} to={paths.create}>
              New document
            </ButtonLink>
          )
        }
      />
      <search className="filters" aria-label="Documents">
        <WordsField ref={searchField} value={filters.q} onChange={(q) => change({ q }, true)} />
        <div className="filters__set">
          <Select
            aria-label="Status"
            value={filters.status}
            onChange={(event) => change({ status: event.target.value })}
          >
            <option value="">Any status</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {STATUS[status].word}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Tag"
            value={filters.tag}
            onChange={(event) => change({ tag: event.target.value })}
          >
            <option value="">Any tag</option>
            {withOwn(data?.tags ?? [], filters.tag).map((tag) => (
              <option key={tag.name} value={tag.name}>
                {tag.name} {tag.documentCount}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Series"
            value={filters.series}
            onChange={(event) => change({ series: event.target.value })}
          >
            <option value="">Any series</option>
            {withOwn(data?.series ?? [], filters.series).map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </Select>
          <label className="row">
            <input
              className="check"
              type="checkbox"
              checked={filters.archived}
              onChange={(event) => change({ archived: event.target.checked })}
            />{' '}
            Archived too
          </label>
        </div>
        <span className="filters__result num" role="status">
          {data && (
            <>
              {plural(data.total, 'document')}
              {waiting > 0 &&
                `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you${data.hasMore || data.page > 1 ? ' here' : ''}`}
            </>
          )}
        </span>
      </search>
      {error && !data ? (
        <div className="page-body">
          <LoadProblem error={error} onRetry={() => void refetch()} />
        </div>
      ) : !data ? (
        <div className="page-body">
          <Skeleton lines={8} />
        </div>
      ) : empty ? (
        <Nothing
          filters={filters}
          may={may}
          projectId={project.id}
          onClear={() => setSearch(new URLSearchParams())}
        />
      ) : (
        <>
          <table className="table" data-narrow="stack" data-sticky aria-busy={isPlaceholderData || undefined}>
            <caption className="visually-hidden">
              Documents,{' '}
              {filters.q
                ? 'best match first'
                : filters.series
                  ? 'in the order of the series'
                  : 'newest change first'}
            </caption>
            <thead>
              <tr>
                <th scope="col">Title</th>
                <th scope="col">Status</th>
                <th scope="col">Waits for you</th>
                <th scope="col" className="end">
                  Version
                </th>
                <th scope="col">Changed</th>
              </tr>
            </thead>
            <tbody>
              {data.documents.map((row) => (
                <Row key={row.id} row={row} to={documentPaths(project.id, row.id).review} />
              ))}
            </tbody>
          </table>
          <Pager page={data.page} perPage={data.perPage} total={data.total} filters={filters} />
        </>
      )}
    </>
  );
}

function Row({ row, to }: { readonly row: DocumentRow; readonly to: string }) {
  return (
    <tr className="stretch">
      <th scope="row">
        <span className="doc-row__text">
          <Link className="row-title" to={to} dir="auto">
            {row.title}
          </Link>
          <span className="doc-row__sub">
            {row.versionDescription && (
              <span className="truncate" dir="auto">
                {row.versionDescription}
              </span>
            )}
            {row.series && (
              <span className="tag">
                <Icon icon={Library} size="sm" />
                {row.series}
                {row.seriesOrdinal !== null && `, ${row.seriesOrdinal}`}
              </span>
            )}
            {row.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </span>
        </span>
      </th>
      <td>
        {row.archived ? (
          <Chip tone="neutral" glyph="stopped" variant="plain">
            Archived
          </Chip>
        ) : (
          <StatusChip status={row.status} variant="plain" />
        )}
      </td>
      {row.waitingThreads > 0 ? (
        <td>
          <Chip tone="warn" glyph="addressed" variant="plain" strong>
            {plural(row.waitingThreads, 'thread')}
            <span className="visually-hidden"> waiting for you</span>
          </Chip>
        </td>
      ) : (
        <td data-none />
      )}
      <td className="end num" data-label="Version">
        {row.version}
      </td>
      <td className="nowrap muted">
        <RelativeTime at={row.updatedAt} />
      </td>
    </tr>
  );
}

interface WordsFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref: React.Ref<HTMLInputElement>;
}

/** Words are looked for once the typing rests. */
function WordsField({ value, onChange, ref }: WordsFieldProps) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed.trim() === told.current) return;
    const timer = setTimeout(() => {
      told.current = typed.trim();
      tell.current(typed.trim());
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchInput
      ref={ref}
      aria-label="Search documents"
      placeholder="Search words, “exact phrase”, −without"
      maxLength={500}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

interface NothingProps {
  readonly filters: ListFilters;
  readonly may: boolean;
  readonly projectId: string;
  readonly onClear: () => void;
}

function Nothing({ filters, may, projectId, onClear }: NothingProps) {
  if (isFiltered(filters) || filters.page > 1) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing matches"
        actions={
          <Button variant="primary" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No document has all of these. Try fewer words or another filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={FileText}
      title="No documents yet"
      actions={
        <>
          <ButtonLink variant="primary" to={`/projects/${projectId}/connect`}>
            Connect an agent
          </ButtonLink>
          {may && <ButtonLink to={documentPaths(projectId).create}>Write one yourself</ButtonLink>}
        </>
      }
    >
      Plans and designs of your agents appear here for review. Ask a connected agent: “Write the plan and
      submit it to Loupe.”
    </EmptyState>
  );
}

interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly filters: ListFilters;
}

function Pager({ page, perPage, total, filters }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return null;
  const around = [...new Set([1, page - 1, page, page + 1, last])].filter(
    (each) => each >= 1 && each <= last,
  );
  const to = (target: number) => `?${searchOf({ ...filters, page: target })}`;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="num">
        {(page - 1) * perPage + 1}–{Math.min(page * perPage, total)} of {total}
      </span>
      <span className="pager__pages">
        {page > 1 && <Link to={to(page - 1)}>Back</Link>}
        {around.map((each, index) => (
          <span key={each} className="row" data-gap="tight">
            {index > 0 && each - around[index - 1]! > 1 && <span aria-hidden="true">…</span>}
            <Link to={to(each)} aria-current={each === page ? 'page' : undefined} aria-label={`Page ${each}`}>
              {each}
            </Link>
          </span>
        ))}
        {page < last && <Link to={to(page + 1)}>Next</Link>}
      </span>
    </nav>
  );
}

/** The chosen value stays in its list, also when nothing has it any more. */
function withOwn<T extends { readonly name: string; readonly documentCount: number }>(
  known: readonly T[],
  own: string,
): { readonly name: string; readonly documentCount: number }[] {
  return own === '' || known.some(({ name }) => name === own)
    ? [...known]
    : [{ name: own, documentCount: 0 }, ...known];
}
