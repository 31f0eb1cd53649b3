import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Plus, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { mayContribute } from '../../app/session';
import { Button, ButtonLink } from '../../components/button';
import { DOCUMENT_STATUS } from '../../components/chip';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { WordsField } from '../../components/words-field';
import { documentKeys, documentPaths, documentsApi } from '../api';
import type { ListFilters } from '../shapes';
import { DocumentListRow } from './document-list-row';
import { ALL_DOCUMENTS, filtersOf, isFiltered, STATUSES, searchOf } from './list-filters';
import { Pager } from './pager';

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

  useKeys('Documents', [
    ...(may
      ? [{ keys: 'n', label: 'New document', run: () => document.getElementById('new-document')?.click() }]
      : []),
  ]);

  const waiting = data?.waitingDocuments ?? 0;
  const empty = data && data.total === 0;
  const first = empty && !isFiltered(filters) && filters.page === 1;
  return (
    <>
      <PageHead
        title="Documents"
        aside={data && <span className="page-sub num">{data.total}</span>}
        actions={
          may && (
            <ButtonLink
              id="new-document"
              variant={first ? undefined : 'primary'}
              icon={Plus}
              to={paths.create}
            >
              New document
            </ButtonLink>
          )
        }
      />
      <search className="filters" aria-label="Documents" hidden={first}>
        <WordsField
          label="Search documents"
          placeholder="Search words, “exact phrase”, −without"
          value={filters.q}
          onChange={(q) => change({ q }, true)}
        />
        <div className="filters__set">
          <Select
            aria-label="Status"
            value={filters.status}
            onChange={(event) => change({ status: event.target.value })}
          >
            <option value="">Any status</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {DOCUMENT_STATUS[status].word}
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
          <label className="row">
            <input
              className="check"
              type="checkbox"
              checked={filters.waiting}
              onChange={(event) => change({ waiting: event.target.checked })}
            />{' '}
            Waits for you
          </label>
        </div>
        <span className="filters__result num" role="status">
          {data && (
            <>
              {/* Beside the heading stands the same number until something is filtered. */}
              <span className={isFiltered(filters) ? undefined : 'visually-hidden'}>
                {plural(data.total, 'document')}
              </span>
              {waiting > 0 && !filters.waiting && (
                <>
                  {isFiltered(filters) && ', '}
                  <Link to={`?${searchOf({ ...ALL_DOCUMENTS, waiting: true })}`}>
                    {waiting} {waiting === 1 ? 'waits' : 'wait'} for you{isFiltered(filters) && ' in all'}
                  </Link>
                </>
              )}
            </>
          )}
        </span>
      </search>
      {data?.note && <p className="hint filters__note">{data.note}</p>}
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
                <DocumentListRow key={row.id} row={row} to={documentPaths(project.id, row.id).review} />
              ))}
            </tbody>
          </table>
          <Pager page={data.page} perPage={data.perPage} total={data.total} filters={filters} />
        </>
      )}
    </>
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

/** The chosen value stays in its list, also when nothing has it any more. */
function withOwn<T extends { readonly name: string; readonly documentCount: number }>(
  known: readonly T[],
  own: string,
): { readonly name: string; readonly documentCount: number }[] {
  return own === '' || known.some(({ name }) => name === own)
    ? [...known]
    : [{ name: own, documentCount: 0 }, ...known];
}
