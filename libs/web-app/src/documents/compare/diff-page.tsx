import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Columns2, MessageSquare, X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { announce } from '../../components/announcer';
import { Banner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { Select } from '../../components/field';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { PageControls } from '../../components/page-controls';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { Workspace } from '../review/document-menu';
import type { DiffView } from '../shapes';
import { showChange } from './change-element';
import { stepChange } from './change-steps';
import { MarkdownLines } from './markdown-lines';
import { RenderedComparison } from './rendered-comparison';
import { SideBySide } from './side-by-side';

const VIEWS: readonly { readonly id: DiffView; readonly word: string }[] = [
  { id: 'rendered', word: 'Rendered' },
  { id: 'side-by-side', word: 'Side by side' },
  { id: 'markdown', word: 'Markdown' },
];

/** What changed between two versions, in three views. */
export function DiffPage() {
  const { documentId = '', from = '', to = '' } = useParams();
  const [search] = useSearchParams();
  const project = useCurrentProject();
  const paths = documentPaths(project.id, documentId);
  const asked = search.get('view');
  const view = VIEWS.find(({ id }) => id === asked)?.id ?? 'rendered';
  const [a, b] = [Number(from), Number(to)];
  if (![a, b].every((number) => Number.isInteger(number) && number > 0)) return <NotFoundPage />;
  if (a > b) return <Navigate replace to={paths.diff(b, a, view)} />;
  return <Comparing key={documentId} documentId={documentId} from={a} to={b} view={view} />;
}

interface ComparingProps {
  readonly documentId: string;
  readonly from: number;
  readonly to: number;
  readonly view: DiffView;
}

function Comparing({ documentId, from, to, view }: ComparingProps) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const navigate = useNavigate();
  const paths = documentPaths(project.id, documentId);
  const [notes, setNotes] = useState(false);
  const [at, setAt] = useState(-1);
  const review = useQuery({
    queryKey: documentKeys.review(project.id, documentId, to),
    queryFn: ({ signal }) => api.review(documentId, to, signal),
  });
  const diff = useQuery({
    queryKey: documentKeys.diff(project.id, documentId, from, to, view),
    queryFn: ({ signal }) => api.diff(documentId, from, to, view, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: from !== to,
  });
  useLive([`project:${project.id}:documents`], (message) => {
    if ('topic' in message && message.subjectId !== documentId) return;
    void queries.invalidateQueries({ queryKey: documentKeys.review(project.id, documentId, to) });
  });
  const title = review.data?.document.title ?? 'Document';
  usePage(
    `Compare ${from} and ${to}`,
    [
      { label: 'Documents', to: paths.list },
      { label: title, to: paths.review },
    ],
    {
      rail: true,
    },
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another comparison begins before its first change
  useEffect(() => setAt(-1), [from, to, view]);

  const count = from === to ? 0 : (diff.data?.changes ?? 0);
  const step = (by: 1 | -1) => {
    const next = stepChange(count, at, by);
    setAt(next);
    if (next < 0) return;
    showChange(next + 1);
    announce(`Change ${next + 1} of ${count}`);
  };
  useKeys('Comparison', [
    { keys: 'j', label: 'Next change', run: () => step(1) },
    { keys: 'k', label: 'Previous change', run: () => step(-1) },
  ]);

  const missing = [review.error, diff.error].some((error) => error instanceof ApiProblem && error.isNotFound);
  if (missing) return <NotFoundPage />;
  const newest = review.data?.document.currentVersion ?? to;
  const go = (next: { from?: number; to?: number; view?: DiffView }) =>
    void navigate(paths.diff(next.from ?? from, next.to ?? to, next.view ?? view));

  const bar = (
    <>
      <div className="compare-bar">
        <span className="compare-bar__pair">
          <Icon icon={Columns2} />
          <span>Versions</span>
          <VersionSelect
            label="From version"
            value={from}
            newest={newest}
            onChange={(next) => go({ from: next })}
          />
          <span aria-hidden="true">→</span>
          <VersionSelect
            label="To version"
            value={to}
            newest={newest}
            onChange={(next) => go({ to: next })}
          />
          <IconButton
            label={`Back to version ${newest}`}
            icon={X}
            size="sm"
            onClick={() => void navigate(paths.review)}
          />
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented" role="group" aria-label="View">
          {VIEWS.map(({ id, word }) => (
            <button key={id} type="button" aria-pressed={view === id} onClick={() => go({ view: id })}>
              {word}
            </button>
          ))}
        </span>
        <span className="row" data-gap="tight">
          <span className="muted num" role="status">
            {from === to || (diff.data && count === 0)
              ? 'No changes'
              : diff.data
                ? at < 0
                  ? plural(count, 'change')
                  : `Change ${at + 1} of ${count}`
                : 'Comparing'}
          </span>
          <IconButton
            label="Previous change (k)"
            icon={ArrowUp}
            size="sm"
            aria-disabled={count === 0 || undefined}
            onClick={() => count > 0 && step(-1)}
          />
          <IconButton
            label="Next change (j)"
            icon={ArrowDown}
            size="sm"
            aria-disabled={count === 0 || undefined}
            onClick={() => count > 0 && step(1)}
          />
        </span>
        <span className="push row">
          <Button
            variant="ghost"
            size="sm"
            icon={MessageSquare}
            aria-expanded={notes}
            aria-controls="revision-notes"
            onClick={() => setNotes((open) => !open)}
          >
            Revision notes
          </Button>
        </span>
      </div>
      {notes && (
        <div className="compare-notes" id="revision-notes">
          {(diff.data?.descriptions ?? []).map((one) => (
            <p key={one.version} dir="auto">
              <b>Version {one.version}</b> {one.description ?? <span className="faint">without a note</span>}
            </p>
          ))}
        </div>
      )}
    </>
  );

  const controls = (
    <PageControls>
      <Workspace paths={paths} />
    </PageControls>
  );
  const tooLarge = diff.error instanceof ApiProblem && diff.error.code === 'too_large_to_compare';
  if (view === 'rendered' && diff.data?.html != null && review.data && from !== to) {
    return (
      <>
        {controls}
        <RenderedComparison
          key={`${from}-${to}`}
          projectId={project.id}
          documentId={documentId}
          review={review.data}
          html={diff.data.html}
          bar={bar}
          from={from}
          current={at}
        />
      </>
    );
  }
  return (
    <>
      {controls}
      <h1 className="visually-hidden">
        Compare version {from} and version {to} of {title}
      </h1>
      {bar}
      <CompareBody
        loading={from !== to && !diff.data && !diff.error}
        problem={
          tooLarge ? (
            <Banner
              tone="warn"
              actions={
                <Button size="sm" onClick={() => go({ view: 'markdown' })}>
                  Compare the Markdown
                </Button>
              }
            >
              Too large to compare here.
            </Banner>
          ) : diff.error ? (
            <LoadProblem error={diff.error} onRetry={() => void diff.refetch()} />
          ) : null
        }
      >
        {from === to || (diff.data && count === 0) ? (
          <p className="compare-none">No changes between these versions.</p>
        ) : (
          diff.data && (
            <>
              {view === 'side-by-side' && (
                <SideBySide diff={diff.data} current={at} newest={newest} onPick={setAt} />
              )}
              {view === 'markdown' && <MarkdownLines diff={diff.data} current={at} />}
            </>
          )
        )}
      </CompareBody>
    </>
  );
}

function CompareBody(props: {
  readonly loading: boolean;
  readonly problem: ReactNode;
  readonly children: ReactNode;
}) {
  if (props.loading) {
    return (
      <div className="page-body">
        <Skeleton lines={8} />
      </div>
    );
  }
  return props.problem ? <div className="page-body">{props.problem}</div> : props.children;
}

interface VersionSelectProps {
  readonly label: string;
  readonly value: number;
  readonly newest: number;
  readonly onChange: (version: number) => void;
}

function VersionSelect({ label, value, newest, onChange }: VersionSelectProps) {
  const versions = Array.from({ length: Math.max(newest, value) }, (_, index) => index + 1);
  return (
    <Select
      size="sm"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {versions.map((version) => (
        <option key={version} value={version}>
          {version}
        </option>
      ))}
    </Select>
  );
}
