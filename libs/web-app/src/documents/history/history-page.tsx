import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { Select } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { PageControls } from '../../components/page-controls';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { Workspace } from '../review/document-menu';
import type { Verdict, VersionRow } from '../shapes';
import { Speaker } from '../speaker';
import { authorName } from '../status';
import { RenderedHtml } from '../surface/rendered-html';

/** Every version of a document, newest first, with what was said about it and the verdicts it got. */
export function HistoryPage() {
  const { documentId = '' } = useParams();
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const paths = documentPaths(project.id, documentId);
  const detail = useQuery({
    queryKey: documentKeys.detail(project.id, documentId),
    queryFn: ({ signal }) => api.get(documentId, signal),
  });
  const { data, error, refetch } = useQuery({
    queryKey: documentKeys.versions(project.id, documentId),
    queryFn: ({ signal }) => api.versions(documentId, signal),
  });
  useLive([`project:${project.id}:documents`], (message) => {
    if ('topic' in message && message.subjectId !== documentId) return;
    void queries.invalidateQueries({ queryKey: documentKeys.document(project.id, documentId) });
  });
  const title = detail.data?.title ?? 'Document';
  usePage(
    'History',
    [
      { label: 'Documents', to: paths.list },
      { label: title, to: paths.review },
    ],
    { rail: true },
  );
  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  return (
    <>
      <PageControls>
        <Workspace paths={paths} />
      </PageControls>
      <PageHead title="History" sub={<span dir="auto">{title}</span>} />
      <div className="page-body history">
        {error && !data ? (
          <LoadProblem error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton lines={6} />
        ) : (
          <>
            {data.length > 1 && <ComparePicker versions={data} paths={paths} />}
            <ol className="history__list">
              {data.map((version) => (
                <Version key={version.number} version={version} newest={data[0]!.number} paths={paths} />
              ))}
            </ol>
          </>
        )}
      </div>
    </>
  );
}

type Paths = ReturnType<typeof documentPaths>;

function Version({
  version,
  newest,
  paths,
}: {
  readonly version: VersionRow;
  readonly newest: number;
  readonly paths: Paths;
}) {
  const { number } = version;
  const counted = version.carried + version.orphaned > 0;
  return (
    <li className="history__item" aria-label={`Version ${number}`}>
      <Speaker author={version.author} />
      <div className="stack" data-gap="tight">
        <div className="row">
          <Link className="row-title" to={number === newest ? paths.review : paths.version(number)}>
            Version {number}
          </Link>
          {number === newest && <Chip tone="neutral">Newest</Chip>}
          <span className="faint small">
            {authorName(version.author)}, <RelativeTime at={version.createdAt} />
          </span>
        </div>
        {version.description && <p dir="auto">{version.description}</p>}
        {counted && (
          <p className="faint small">
            {plural(version.carried, 'thread')} came along
            {version.orphaned > 0 &&
              `, ${version.orphaned} lost ${version.orphaned === 1 ? 'its' : 'their'} passage`}
          </p>
        )}
        {version.verdicts.length > 0 && (
          <ul className="history__verdicts">
            {version.verdicts.map((verdict) => (
              <VerdictEntry key={verdict.id} verdict={verdict} />
            ))}
          </ul>
        )}
      </div>
      {number > 1 && (
        <Link className="btn" data-variant="ghost" data-size="sm" to={paths.diff(number - 1, number)}>
          See changes
          <span className="visually-hidden"> from version {number - 1}</span>
        </Link>
      )}
    </li>
  );
}

function VerdictEntry({ verdict }: { readonly verdict: Verdict }) {
  const approved = verdict.verdict === 'approved';
  return (
    <li>
      <span className="row">
        <Chip
          tone={approved ? 'good' : 'bad'}
          glyph={approved ? 'done' : 'changes-requested'}
          variant="plain"
        >
          {approved ? 'Approved' : 'Changes requested'}
        </Chip>
        <span className="small muted">
          {verdict.reviewer.name}, <RelativeTime at={verdict.submittedAt} />
        </span>
        {verdict.withdrawnAt && (
          <span className="small faint">
            withdrawn <RelativeTime at={verdict.withdrawnAt} />
          </span>
        )}
      </span>
      {verdict.noteHtml && <RenderedHtml className="history__note" html={verdict.noteHtml} />}
    </li>
  );
}

function ComparePicker({
  versions,
  paths,
}: {
  readonly versions: readonly VersionRow[];
  readonly paths: Paths;
}) {
  const navigate = useNavigate();
  const newest = versions[0]!.number;
  const [from, setFrom] = useState(newest - 1);
  const [to, setTo] = useState(newest);
  const options = versions.map(({ number }) => (
    <option key={number} value={number}>
      {number}
    </option>
  ));
  return (
    <form
      className="row"
      aria-label="Compare versions"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate(paths.diff(Math.min(from, to), Math.max(from, to)));
      }}
    >
      <span className="row" data-gap="tight">
        <span aria-hidden="true">From</span>
        <Select
          size="sm"
          aria-label="From version"
          value={from}
          onChange={(event) => setFrom(Number(event.target.value))}
        >
          {options}
        </Select>
      </span>
      <span className="row" data-gap="tight">
        <span aria-hidden="true">to</span>
        <Select
          size="sm"
          aria-label="To version"
          value={to}
          onChange={(event) => setTo(Number(event.target.value))}
        >
          {options}
        </Select>
      </span>
      <Button type="submit" size="sm">
        Compare
      </Button>
    </form>
  );
}
