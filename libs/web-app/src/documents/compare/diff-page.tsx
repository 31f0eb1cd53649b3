import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Columns2, MessageSquare, MoveVertical, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { announce } from '../../components/announcer';
import { Banner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { Select } from '../../components/field';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { PageControls } from '../../components/page-controls';
import { Skeleton } from '../../components/progress';
import { NotFoundPage } from '../../pages/not-found-page';
import { type Diff, type DiffView, documentKeys, documentPaths, documentsApi, type Review } from '../api';
import { draftsOf } from '../drafts/draft-store';
import { Workspace } from '../review/document-menu';
import type { ReviewScope } from '../review/review-context';
import { ReviewWorkspace } from '../review/review-workspace';
import { useReviewActions } from '../review/use-review-actions';
import { plural } from '../status';
import { motion } from '../surface/document-surface';
import { RenderedHtml } from '../surface/rendered-html';
import { foldUnchanged, stepChange } from './change-steps';

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
              {view === 'markdown' && <Lines diff={diff.data} current={at} />}
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

interface RenderedComparisonProps {
  readonly projectId: string;
  readonly documentId: string;
  readonly review: Review;
  readonly html: string;
  readonly bar: ReactNode;
  readonly from: number;
  readonly current: number;
}

/** The newer text with its changes marked, and the threads of the review beside it. */
function RenderedComparison(props: RenderedComparisonProps) {
  const { projectId, documentId, review, html, bar, from, current } = props;
  const { person } = useSession();
  const api = useMemo(() => documentsApi(projectId), [projectId]);
  const actions = useReviewActions(projectId, documentId, review.version.number, api);
  const root = useRef<HTMLElement | null>(null);
  const isCurrent = review.version.isCurrent;
  const scope = useMemo<ReviewScope>(
    () => ({
      projectId,
      documentId,
      review,
      api,
      actions,
      drafts: draftsOf(`document.${documentId}`),
      mayWrite: review.mayContribute && isCurrent && !review.document.archived,
      mayTalk: review.mayContribute && isCurrent,
      personId: person.id,
    }),
    [projectId, documentId, review, api, actions, isCurrent, person.id],
  );
  const onReady = useCallback((element: HTMLElement | null) => {
    root.current = element;
  }, []);
  useEffect(() => {
    for (const old of root.current?.querySelectorAll('[data-current-change]') ?? []) {
      old.removeAttribute('data-current-change');
    }
    changeElement(current + 1)?.setAttribute('data-current-change', '');
  }, [current]);
  return (
    <ReviewWorkspace
      scope={scope}
      lastSeen={null}
      readOnly={false}
      onOpenNewest={() => undefined}
      comparison={{
        html,
        bar: (
          <>
            {bar}
            {!isCurrent && (
              <p className="compare-why hint">
                Comments go to the newest version. Choose version {review.document.currentVersion} on the
                right side to write one.
              </p>
            )}
          </>
        ),
        title: `Compare version ${from} and version ${review.version.number} of ${review.document.title}`,
        onReady,
      }}
    />
  );
}

/** The block of a change; its mark may stand inside of it. */
function changeElement(number: number): HTMLElement | null {
  const mark = document.getElementById(`change-${number}`);
  return mark?.closest<HTMLElement>('[data-change]') ?? mark;
}

function showChange(number: number): void {
  const element = changeElement(number);
  element?.scrollIntoView({ block: 'center', behavior: motion() });
}

interface SideBySideProps {
  readonly diff: Diff;
  readonly current: number;
  readonly newest: number;
  readonly onPick: (index: number) => void;
}

function SideBySide({ diff, current, newest, onPick }: SideBySideProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => {
    let number = 0;
    return (diff.rows ?? []).map((row) => ({ ...row, number: row.changed ? ++number : 0 }));
  }, [diff.rows]);
  const parts = useMemo(() => foldUnchanged(rows, (row) => row.changed, 1), [rows]);
  return (
    <div className="compare__body compare__body--full">
      <p className="compare-why hint">Comments are hidden in this view. Choose Rendered to comment.</p>
      <div className="compare-row" data-head>
        <h2>Version {diff.from}</h2>
        <div className="compare-row__gutter" />
        <h2>
          Version {diff.to} {diff.to === newest && <span>current</span>}
        </h2>
      </div>
      {parts.map((part) =>
        part.kind === 'fold' && !unfolded.has(part.from) ? (
          <button
            key={part.from}
            type="button"
            className="diff__fold"
            onClick={() => setUnfolded((now) => new Set([...now, part.from]))}
          >
            <Icon icon={MoveVertical} size="sm" />
            Show {plural(part.rows.length, 'unchanged block')}
          </button>
        ) : (
          part.rows.map((row, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name and never move
              key={part.from + index}
              className="compare-row"
              data-change={row.changed || undefined}
              data-current={(row.changed && row.number === current + 1) || undefined}
              id={row.changed ? `change-${row.number}` : undefined}
            >
              <Side html={row.left} version={diff.from} missing={`Not in version ${diff.from}`} />
              <div className="compare-row__gutter">
                {row.changed && (
                  <a
                    href={`#change-${row.number}`}
                    aria-label={`Change ${row.number}`}
                    aria-current={row.number === current + 1 || undefined}
                    onClick={(event) => {
                      event.preventDefault();
                      onPick(row.number - 1);
                    }}
                  >
                    {row.number}
                  </a>
                )}
              </div>
              <Side html={row.right} version={diff.to} missing={`Removed in version ${diff.to}`} />
            </div>
          ))
        ),
      )}
    </div>
  );
}

function Side({
  html,
  version,
  missing,
}: {
  readonly html: string | null;
  readonly version: number;
  readonly missing: string;
}) {
  if (html === null) {
    return (
      <div className="prose" data-none>
        {missing}
      </div>
    );
  }
  return (
    <div className="prose doc-text">
      <span className="compare-row__label">Version {version}</span>
      <RenderedHtml className="compare-html" html={html} />
    </div>
  );
}

function Lines({ diff, current }: { readonly diff: Diff; readonly current: number }) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => {
    let number = 0;
    let before = false;
    return (diff.lines ?? []).map((line) => {
      const changed = line.kind !== 'same';
      const first = changed && !before;
      before = changed;
      if (first) number += 1;
      return { ...line, number: changed ? number : 0, first };
    });
  }, [diff.lines]);
  const parts = useMemo(() => foldUnchanged(lines, (line) => line.kind !== 'same', 3, 6), [lines]);
  const headings = lines.filter(({ text }) => /^#{1,6}\s/.test(text));
  return (
    <div className="compare__grid">
      <nav className="outline" aria-label="Headings">
        <div className="outline__head">
          <span>Heading lines</span>
          <span className="num">{headings.length}</span>
        </div>
        <ol>
          {headings.map((line) => (
            <li key={`${line.kind}-${line.left}-${line.right}`}>
              <a
                href={`#${lineId(line)}`}
                data-level={/^##?\s/.test(line.text) ? 2 : 3}
                onClick={(event) => {
                  event.preventDefault();
                  setUnfolded(new Set(parts.map((part) => part.from)));
                  requestAnimationFrame(() =>
                    document
                      .getElementById(lineId(line))
                      ?.scrollIntoView({ block: 'center', behavior: motion() }),
                  );
                }}
              >
                <span dir="auto">
                  {line.kind === 'removed' ? <del>{headingText(line.text)}</del> : headingText(line.text)}
                  {line.kind === 'removed' && <span className="visually-hidden">, removed</span>}
                  {line.kind === 'added' && <span className="visually-hidden">, added</span>}
                </span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard */}
      <section className="diff diff--page" tabIndex={0} aria-label="Changed lines">
        {parts.map((part) =>
          part.kind === 'fold' && !unfolded.has(part.from) ? (
            <button
              key={part.from}
              type="button"
              className="diff__fold"
              onClick={() => setUnfolded((now) => new Set([...now, part.from]))}
            >
              <Icon icon={MoveVertical} size="sm" />
              Show {plural(part.rows.length, 'unchanged line')}
            </button>
          ) : (
            part.rows.map((line) => (
              <div
                key={`${line.kind}-${line.left}-${line.right}`}
                className="diff__line"
                id={line.first ? `change-${line.number}` : lineId(line)}
                data-change={line.kind === 'added' ? 'add' : line.kind === 'removed' ? 'cut' : undefined}
                data-current-change={(line.number > 0 && line.number === current + 1) || undefined}
              >
                <span>{line.left}</span>
                <span>{line.right}</span>
                <span>{line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ' '}</span>
                <span dir="auto">{line.text || ' '}</span>
              </div>
            ))
          ),
        )}
      </section>
    </div>
  );
}

function lineId(line: { readonly left: number | null; readonly right: number | null }): string {
  return `line-${line.left ?? 'x'}-${line.right ?? 'x'}`;
}

function headingText(line: string): string {
  return line.replace(/^#{1,6}\s+/, '');
}
