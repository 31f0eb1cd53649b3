import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  AppWindow,
  Archive,
  ArchiveRestore,
  Ellipsis,
  Folder,
  FolderInput,
  Grid2x2,
  List,
  Plus,
  SearchX,
  Upload,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { mayAdminister, mayContribute } from '../../app/session';
import { announce } from '../../components/announcer';
import { Button, ButtonLink, IconButton } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../components/menu';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { WordsField } from '../../components/words-field';
import { artifactKeys, artifactPaths, artifactsApi, PER_PAGE } from '../api';
import { LibraryTabs } from '../library-tabs';
import type { ArtifactRow, LibraryFilters, WorkspaceRow } from '../shapes';
import { ARTIFACT_STATUS, typeWord } from '../words';
import { ArtCard, Marks, TYPE_ICONS } from './art-card';
import { type Picked, pickedFromDrop } from './file-bundle';
import { filtersOf, isFiltered, searchOf } from './library-filters';
import { NewArtifactDialog } from './new-artifact-dialog';
import { WorkspacesDialog } from './workspaces-dialog';

type Layout = 'cards' | 'rows';
const LAYOUT_KEY = 'loupe.library.layout';

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
    <RowMenu
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
          <Filters
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
            <Nothing
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
            <Rows
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
        <span className="truncate" dir="auto">
          {name}
        </span>
        <span className="count">{count}</span>
      </Link>
    </li>
  );
}

interface FiltersProps {
  readonly filters: LibraryFilters;
  readonly layout: Layout;
  readonly total: number | null;
  readonly onChange: (part: Partial<LibraryFilters>, replace?: boolean) => void;
  readonly onLayout: (layout: Layout) => void;
}

function Filters({ filters, layout, total, onChange, onLayout }: FiltersProps) {
  return (
    <search className="filters" aria-label="Artifacts">
      <WordsField
        label="Search artifacts"
        placeholder="Search by name"
        maxLength={200}
        value={filters.search}
        onChange={(words) => onChange({ search: words }, true)}
      />
      <div className="filters__set">
        <Select
          aria-label="Type"
          value={filters.artifactType}
          onChange={(event) => onChange({ artifactType: event.target.value })}
        >
          <option value="">Any type</option>
          <option value="app">App</option>
          <option value="markdown">Markdown</option>
          <option value="asset">Image or video</option>
        </Select>
        <Select
          aria-label="Origin"
          value={filters.origin}
          onChange={(event) => onChange({ origin: event.target.value })}
        >
          <option value="">Any origin</option>
          <option value="push">Pushed</option>
          <option value="import">Imported</option>
          <option value="empty">Started empty</option>
          <option value="p2c">From a prompt</option>
          <option value="l2c">From a web page</option>
          <option value="f2c">From Figma</option>
          <option value="duplicate">Copies</option>
        </Select>
        <Select
          aria-label="Sort"
          value={filters.sort}
          onChange={(event) => onChange({ sort: event.target.value === 'newest' ? 'newest' : 'changed' })}
        >
          <option value="changed">Recently changed</option>
          <option value="newest">Newest</option>
        </Select>
        <label className="row">
          <input
            className="check"
            type="checkbox"
            checked={filters.archived}
            onChange={(event) => onChange({ archived: event.target.checked })}
          />{' '}
          Archived too
        </label>
      </div>
      <span className="filters__result row">
        <span className="visually-hidden" role="status">
          {total !== null && plural(total, 'artifact')}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented" role="group" aria-label="Layout">
          <button
            type="button"
            aria-label="Cards"
            title="Cards"
            aria-pressed={layout === 'cards'}
            onClick={() => onLayout('cards')}
          >
            <Icon icon={Grid2x2} />
          </button>
          <button
            type="button"
            aria-label="Rows"
            title="Rows"
            aria-pressed={layout === 'rows'}
            onClick={() => onLayout('rows')}
          >
            <Icon icon={List} />
          </button>
        </span>
      </span>
    </search>
  );
}

interface RowsProps {
  readonly projectId: string;
  readonly rows: readonly ArtifactRow[];
  readonly menu: ((row: ArtifactRow) => React.ReactNode) | null;
  readonly busy: boolean;
}

function Rows({ projectId, rows, menu, busy }: RowsProps) {
  return (
    <table className="table" data-narrow="stack" aria-busy={busy || undefined}>
      <caption className="visually-hidden">Artifacts</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Workspace</th>
          <th scope="col" className="end">
            Version
          </th>
          <th scope="col" className="end">
            Size
          </th>
          <th scope="col">Changed</th>
          {menu && (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.artifactId}>
            <th scope="row">
              <span className="row">
                <Icon icon={TYPE_ICONS[row.artifactType]} />
                <Link className="row-title" dir="auto" to={artifactPaths(projectId, row.artifactId).one}>
                  {row.name}
                </Link>
              </span>
              <Marks
                projectId={projectId}
                row={row}
                status={row.status === 'ready' ? null : ARTIFACT_STATUS[row.status]}
              />
            </th>
            <td data-label="Type">{typeWord(row)}</td>
            <td data-label="Workspace" dir="auto">
              {row.workspaceName}
            </td>
            <td className="end num" data-label="Version">
              {row.latestVersion ?? '–'}
            </td>
            <td className="end num" data-label="Size">
              {row.totalBytes === null ? '–' : size(row.totalBytes)}
            </td>
            <td data-label="Changed">
              <RelativeTime at={row.updatedAt} />
            </td>
            {menu && <td className="end">{menu(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowMenuProps {
  readonly row: ArtifactRow;
  readonly workspaces: readonly WorkspaceRow[];
  readonly onArchive: () => void;
  readonly onMove: (to: WorkspaceRow) => void;
}

function RowMenu({ row, workspaces, onArchive, onMove }: RowMenuProps) {
  const others = workspaces.filter(
    ({ workspaceId, archived }) => !archived && workspaceId !== row.workspaceId,
  );
  return (
    <Menu
      align="end"
      label={`Actions for ${row.name}`}
      trigger={<IconButton label={`More about ${row.name}`} icon={Ellipsis} size="sm" />}
    >
      <MenuItem icon={row.archived ? ArchiveRestore : Archive} onSelect={onArchive}>
        {row.archived ? 'Restore' : 'Archive'}
      </MenuItem>
      {others.length > 0 && !row.archived && (
        <>
          <MenuSeparator />
          <MenuLabel>Move to</MenuLabel>
          {others.map((workspace) => (
            <MenuItem key={workspace.workspaceId} icon={FolderInput} onSelect={() => onMove(workspace)}>
              {workspace.name}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}

interface NothingProps {
  readonly filters: LibraryFilters;
  readonly projectId: string;
  readonly may: boolean;
  readonly onClear: () => void;
}

function Nothing({ filters, projectId, may, onClear }: NothingProps) {
  if (isFiltered(filters) || filters.page > 1 || filters.workspaceId !== '') {
    return (
      <EmptyState
        icon={SearchX}
        title={
          filters.workspaceId !== '' && !isFiltered(filters) ? 'This workspace is empty' : 'Nothing matches'
        }
        actions={
          <Button variant="primary" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        {filters.workspaceId !== '' && !isFiltered(filters)
          ? 'New artifacts go where their maker puts them. Move one here from its menu.'
          : 'No artifact has all of these. Try fewer words or another filter.'}
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        icon={AppWindow}
        title="No artifacts yet"
        actions={
          <ButtonLink variant={may ? undefined : 'primary'} to={`/projects/${projectId}/connect`}>
            Connect an agent
          </ButtonLink>
        }
      >
        Prototypes, pages, documents and pictures that agents and people make stand here, each in all its
        versions. {may && 'Drop files on this page, or use one of these ways:'}
      </EmptyState>
      {may && (
        <div className="library__ways">
          <div className="stack" data-fill="" data-gap="tight">
            <span className="row small">
              <Icon icon={Upload} size="sm" /> From a folder on your machine
            </span>
            <CodeBlock code={'loupe artifact push ./prototype --name "Seat map"'} what="command" />
          </div>
          <div className="stack" data-fill="" data-gap="tight">
            <span className="row small">
              <Icon icon={Plus} size="sm" /> By a connected agent
            </span>
            <CodeBlock
              code="Build a clickable prototype of this page, store it in Loupe with artifact_create, and give me the preview link."
              what="prompt"
            />
          </div>
        </div>
      )}
    </>
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

function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => {
    try {
      return localStorage.getItem(LAYOUT_KEY) === 'rows' ? 'rows' : 'cards';
    } catch {
      return 'cards';
    }
  });
  return [
    layout,
    (next) => {
      setLayout(next);
      try {
        localStorage.setItem(LAYOUT_KEY, next);
      } catch {
        // Storage can be switched off; the choice then holds for this page.
      }
    },
  ];
}
