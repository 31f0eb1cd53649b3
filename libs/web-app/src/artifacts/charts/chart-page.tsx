import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, Columns2, Download, Ellipsis, Trash2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { Button, ButtonLink, IconButton } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { ConfirmDialog, Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { Menu, MenuItem } from '../../components/menu';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { NotFoundPage } from '../../pages/not-found-page';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import type { ChartDetail } from '../shapes';
import { CHART_TYPES } from '../words';
import { ChartPicture } from './chart-picture';
import { DataTable } from './data-table';

type Tab = 'chart' | 'data' | 'json';

/** One chart or table, large, with its numbers, and another one beside it when asked for. */
export function ChartPage() {
  const { chartId = '' } = useParams();
  const id = /^[1-9]\d{0,9}$/.test(chartId) ? Number(chartId) : null;
  return id === null ? <NotFoundPage /> : <Loaded key={id} id={id} />;
}

function useChart(id: number | null) {
  const project = useCurrentProject();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  return useQuery({
    queryKey: artifactKeys.chart(project.id, id ?? 0),
    queryFn: ({ signal }) => api.chart(id ?? 0, signal),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Loaded({ id }: { readonly id: number }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const paths = artifactPaths(project.id);
  const [search, setSearch] = useSearchParams();
  const [deleting, setDeleting] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const { data: chart, error, refetch } = useChart(id);
  const besideId = Number(search.get('beside'));
  const besideWanted = Number.isInteger(besideId) && besideId > 0 && besideId !== id ? besideId : null;
  const beside = useChart(besideWanted);
  const title = chart ? (chart.title ?? CHART_TYPES[chart.type]) : 'Chart';
  usePage(title, [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Artifacts', to: paths.list },
    { label: 'Charts', to: paths.charts },
  ]);
  useKeys('Chart', [
    ...(chart?.next
      ? [
          {
            keys: 'j',
            label: 'Next of the conversation',
            run: () => void navigate(paths.chart(chart.next ?? 0)),
          },
        ]
      : []),
    ...(chart?.previous
      ? [
          {
            keys: 'k',
            label: 'Previous of the conversation',
            run: () => void navigate(paths.chart(chart.previous ?? 0)),
          },
        ]
      : []),
  ]);
  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  if (!chart) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  return (
    <>
      <PageHead
        title={<span dir="auto">{title}</span>}
        sub={
          <>
            <span className="num">#{chart.id}</span>, {CHART_TYPES[chart.type].toLowerCase()}, turn{' '}
            {chart.turnIndex} of {chart.thread.client ?? 'an agent'} for {chart.createdBy.displayName},{' '}
            <RelativeTime at={chart.createdAt} />
          </>
        }
        actions={
          <>
            {chart.previous !== null && (
              <ButtonLink narrow="icon" icon={ArrowLeft} to={paths.chart(chart.previous)}>
                Previous
              </ButtonLink>
            )}
            {chart.next !== null && (
              <ButtonLink narrow="icon" icon={ArrowRight} to={paths.chart(chart.next)}>
                Next
              </ButtonLink>
            )}
            <Menu align="end" label="Chart" trigger={<IconButton label="More actions" icon={Ellipsis} />}>
              {chart.drawable && (
                <MenuItem
                  icon={Download}
                  onSelect={() => {
                    window.location.href = api.chartFile(chart.id, 'svg');
                  }}
                >
                  Download SVG
                </MenuItem>
              )}
              <MenuItem
                icon={Download}
                onSelect={() => {
                  window.location.href = api.chartFile(chart.id, 'csv');
                }}
              >
                Download CSV
              </MenuItem>
              <MenuItem icon={Download} onSelect={() => saveJson(chart)}>
                Download JSON
              </MenuItem>
              <MenuItem icon={Columns2} onSelect={() => setChoosing(true)}>
                Compare with another
              </MenuItem>
              {chart.canDelete && (
                <MenuItem icon={Trash2} onSelect={() => setDeleting(true)}>
                  Delete
                </MenuItem>
              )}
            </Menu>
          </>
        }
      />
      <div className={besideWanted ? 'chart-pair' : 'chart-alone'}>
        <ChartView chart={chart} />
        {besideWanted && (
          <section className="chart-view" aria-label="Beside it">
            <div className="row">
              <h2 className="grow truncate" dir="auto">
                {beside.data ? (beside.data.title ?? CHART_TYPES[beside.data.type]) : `#${besideWanted}`}
              </h2>
              <IconButton
                label="Close the second chart"
                icon={X}
                size="sm"
                onClick={() => setSearch({}, { replace: true })}
              />
            </div>
            {beside.error ? (
              <LoadProblem error={beside.error} onRetry={() => void beside.refetch()} />
            ) : beside.data ? (
              <ChartView chart={beside.data} />
            ) : (
              <Skeleton lines={6} />
            )}
          </section>
        )}
      </div>
      <ChooseDialog
        open={choosing}
        onClose={() => setChoosing(false)}
        onChoose={(other) => setSearch({ beside: String(other) }, { replace: true })}
      />
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${title}?`}
        action="Delete chart"
        onConfirm={async () => {
          await api.removeChart(chart.id);
          toast({ title: `${title} is deleted.` });
          void navigate(paths.charts);
          await queries.invalidateQueries({ queryKey: artifactKeys.root(project.id) });
        }}
      >
        <p>The agent of its conversation can no longer read it. This cannot be taken back.</p>
      </ConfirmDialog>
    </>
  );
}

function ChartView({ chart }: { readonly chart: ChartDetail }) {
  const project = useCurrentProject();
  const [tab, setTab] = useState<Tab>('chart');
  const shown = tab === 'chart' && !chart.drawable ? 'data' : tab;
  const tabs: { id: Tab; word: string }[] = [
    ...(chart.drawable ? [{ id: 'chart' as const, word: 'Chart' }] : []),
    { id: 'data', word: 'Data' },
    { id: 'json', word: 'JSON' },
  ];
  return (
    <div className="chart-view">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
      <span className="segmented" role="group" aria-label="Show">
        {tabs.map(({ id, word }) => (
          <button key={id} type="button" aria-pressed={shown === id} onClick={() => setTab(id)}>
            {word}
          </button>
        ))}
      </span>
      {shown === 'chart' && (
        <figure>
          <ChartPicture
            projectId={project.id}
            id={chart.id}
            size="page"
            alt={chart.description ?? chart.summary}
          />
          <figcaption className="muted" dir="auto">
            {chart.description ?? chart.summary}
          </figcaption>
        </figure>
      )}
      {shown === 'data' && (
        <>
          <DataTable caption={chart.title ?? CHART_TYPES[chart.type]} data={chart.data} />
          {chart.data.note && (
            <p className="muted small" dir="auto">
              {chart.data.note}
            </p>
          )}
        </>
      )}
      {shown === 'json' && <CodeBlock code={JSON.stringify(chart.payload, null, 2)} what="payload" />}
    </div>
  );
}

interface ChooseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onChoose: (id: number) => void;
}

function ChooseDialog({ open, onClose, onChoose }: ChooseDialogProps) {
  const [typed, setTyped] = useState('');
  const id = /^\s*#?([1-9]\d{0,9})\s*$/.exec(typed)?.[1];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Compare with another chart"
      onSubmit={() => {
        if (!id) return;
        onChoose(Number(id));
        onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabledReason={id ? null : 'Type the number of a chart, such as 42.'}
          >
            Put beside
          </Button>
        </>
      }
    >
      <Field label="Number" hint="Each chart shows its number in the gallery, such as #42.">
        {(control) => (
          <input
            {...control}
            className="input"
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}

function saveJson(chart: ChartDetail): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(chart.payload, null, 2)], { type: 'application/json' }),
  );
  link.download = `chart-${chart.id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
