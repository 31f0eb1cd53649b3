import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Folder, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { mayAdminister, mayContribute } from '../../app/session';
import { announce } from '../../components/announcer';
import { Button } from '../../components/button';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { artifactKeys, artifactsApi, PER_PAGE } from '../api';
import { LibraryTabs } from '../library-tabs';
import type { ArtifactRow, LibraryFilters, WorkspaceRow } from '../shapes';
import { ArtCard } from './art-card';
import { ArtifactMenu } from './artifact-menu';
import { ArtifactRows } from './artifact-rows';
import { type Picked, pickedFromDrop } from './file-bundle';
import { LibraryFilterBar } from './library-filter-bar';
import { filtersOf, searchOf } from './library-filters';
import { NewArtifactDialog } from './new-artifact-dialog';
import { NothingInLibrary } from './nothing-in-library';
import { useLayout } from './use-layout';
import { WorkspacesDialog } from './workspaces-dialog';

/** What agents and people of a project made, as small living pictures or as rows. */
export function LibraryPage() {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search);
  const may = mayContribute(project.role);
  const [layout, setLayout] = useLayout();
  const [creating, setCreating] = useState<readonly Picked[] | null>(null);
  const [managing, setManaging] = useState(false);
  const [over, setOver] = useState(false);
  usePage('Artifacts', [{ label: project.name, to: `/projects/${project.id}` }]);

  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: artifactKeys.list(project.id, filters),
    queryFn: ({ signal }) => api.list(filters, signal),
    placeholderData: (before) => before,
  });
  const workspaces = useQuery({
    queryKey: artifactKeys.workspaces(project.id),
    queryFn: ({ signal }) => api.workspaces(signal),
  });
  const usage = useQuery({
    queryKey: artifactKeys.usage(project.id),
    queryFn: ({ signal }) => api.usage(signal),
  });
  const shelves = workspaces.data ?? [];
  useLive([`project:${project.id}:artifacts`], () => {
    void queries.invalidateQueries({ queryKey: [...artifactKeys.root(project.id), 'list'] });
    void queries.invalidateQueries({ queryKey: artifactKeys.workspaces(project.id) });
  });

  const change = (part: Partial<LibraryFilters>, replace = false) =>
    setSearch(searchOf({ ...filters, page: 1, ...part }), { replace });
  useKeys('Artifacts', [
    {
      keys: '/',
      label: 'Search artifacts',
      run: () => document.querySelector<HTMLElement>('.library .filters input')?.focus(),
    },
    ...(may ? [{ keys: 'n', label: 'New artifact', run: () => setCreating([]) }] : []),
  ]);

  const act = async (call: () => Promise<unknown>, done: string, undo?: () => Promise<unknown>) => {
    try {
      await call();
      toast({
        title: done,
        action: undo ? { label: 'Undo', run: () => void act(undo, 'It is as it was.') } : undefined,
      });
      announce(done);
    } catch (refusal) {
      toast({ tone: 'bad', title: 'Nothing was changed.', text: sentenceOf(refusal) });
    }
    await queries.invalidateQueries({ queryKey: artifactKeys.root(project.id) });
  };
  const archive = (row: ArtifactRow) =>
    row.archived
      ? act(() => api.unarchive(row.artifactId), `${row.name} is back in the library.`)
      : act(
          () => api.archive(row.artifactId),
          `${row.name} is archived.`,
          () => api.unarchive(row.artifactId),
        );
  const move = (row: ArtifactRow, to: WorkspaceRow) =>
    act(async () => {
      const now = await api.get(row.artifactId, null);
      await api.change(row.artifactId, { workspaceId: to.workspaceId, version: now.edit });
    }, `${row.name} is in ${to.name} now.`);
  const menu = (row: ArtifactRow) => (
    <ArtifactMenu
      row={row}
      workspaces={shelves}
      onArchive={() => void archive(row)}
      onMove={(to) => void move(row, to)}
    />
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files anywhere is one more way beside the button
    <div
      className="library-page"
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!may || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!may || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        void pickedFromDrop(event.dataTransfer).then(setCreating);
      }}
    >
      <PageHead
        title="Artifacts"
        aside={data && <span className="page-sub num">{data.total}</span>}
        actions={
          may && (
            <Button variant="primary" icon={Plus} onClick={() => setCreating([])}>
              New artifact
            </Button>
          )
        }
      />
      <LibraryTabs projectId={project.id} />
      <div className="library">
        <nav className="library__side" aria-label="Workspaces">
          <h2 className="mini-head library__label">Workspaces</h2>
          <ul className="side-group">
            <WorkspaceLink
              name="All"
              count={shelves.reduce((sum, { artifactCount }) => sum + artifactCount, 0)}
              current={filters.workspaceId === ''}
              search={searchOf({ ...filters, workspaceId: '', page: 1 })}
            />
            {shelves
              .filter((workspace) => !workspace.archived)
              .map((workspace) => (
                <WorkspaceLink
                  key={workspace.workspaceId}
                  name={workspace.name}
                  count={workspace.artifactCount}
                  current={filters.workspaceId === workspace.workspaceId}
                  search={searchOf({ ...filters, workspaceId: workspace.workspaceId, page: 1 })}
                />
              ))}
          </ul>
          {mayAdminister(project.role) && (
            <p className="library__label">
              <button className="link-btn small" type="button" onClick={() => setManaging(true)}>
                Manage workspaces
              </button>
            </p>
          )}
          {usage.data && (
            <div className="stack library__label" data-fill="" data-gap="tight">
              <span className="small muted num">
                {size(usage.data.bytes)} of {size(usage.data.maxBytes)} used
              </span>
              <progress
                className="progress"
                data-size="sm"
                value={usage.data.bytes}
                max={usage.data.maxBytes}
                aria-label="Storage used"
              />
            </div>
          )}
        </nav>
        <div>
          <LibraryFilterBar
            filters={filters}
            layout={layout}
            onChange={change}
            onLayout={setLayout}
            total={data?.total ?? null}
          />
          {error && !data ? (
            <LoadProblem error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <Skeleton lines={8} />
          ) : data.artifacts.length === 0 ? (
            <NothingInLibrary
              filters={filters}
              projectId={project.id}
              may={may}
              onClear={() => setSearch(new URLSearchParams())}
            />
          ) : layout === 'cards' ? (
            <ul className="arts" aria-busy={isPlaceholderData || undefined}>
              {data.artifacts.map((row) => (
                <ArtCard
                  key={row.artifactId}
                  projectId={project.id}
                  row={row}
                  workspace={filters.workspaceId === '' && shelves.length > 1 ? row.workspaceName : null}
                  menu={may ? menu(row) : null}
                />
              ))}
            </ul>
          ) : (
            <ArtifactRows
              projectId={project.id}
              rows={data.artifacts}
              menu={may ? menu : null}
              busy={isPlaceholderData}
            />
          )}
          {data && <Pages filters={filters} total={data.total} />}
        </div>
      </div>
      <NewArtifactDialog
        open={creating !== null}
        dropped={creating ?? []}
        projectId={project.id}
        workspaces={shelves}
        workspaceId={filters.workspaceId}
        onClose={() => setCreating(null)}
      />
      <WorkspacesDialog
        open={managing}
        onClose={() => setManaging(false)}
        projectId={project.id}
        workspaces={shelves}
      />
    </div>
  );
}

interface WorkspaceLinkProps {
  readonly name: string;
  readonly count: number;
  readonly current: boolean;
  readonly search: URLSearchParams;
}

function WorkspaceLink({ name, count, current, search }: WorkspaceLinkProps) {
  return (
    <li>
      <Link className="side-link" to={`?${search}`} aria-current={current || undefined}>
        <Icon icon={Folder} />
        <span className="truncate" dir="auto" title={name}>
          {name}
        </span>
        <span className="count">{count}</span>
      </Link>
    </li>
  );
}

function Pages({ filters, total }: { readonly filters: LibraryFilters; readonly total: number }) {
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  if (last === 1) return null;
  const to = (page: number) => `?${searchOf({ ...filters, page })}`;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="num">
        {(filters.page - 1) * PER_PAGE + 1}–{Math.min(filters.page * PER_PAGE, total)} of {total}
      </span>
      <span className="pager__pages">
        {filters.page > 1 && <Link to={to(filters.page - 1)}>Back</Link>}
        {filters.page < last && <Link to={to(filters.page + 1)}>Next</Link>}
      </span>
    </nav>
  );
}
