import { useQuery } from '@tanstack/react-query';
import { Columns2, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { ButtonLink, IconButton } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import { Widths } from '../artifact/artifact-view';
import { LatestArtifact } from '../artifact/latest-artifact';
import { PreviewFrame, type Width } from '../artifact/preview-frame';
import type { ArtifactDetail, ComparedFile, FileChange } from '../shapes';
import { FileChanges } from './file-changes';

const WORDS: Readonly<Record<FileChange, string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  same: 'Same',
};
const ORDER: readonly FileChange[] = ['changed', 'added', 'removed', 'same'];

/** What changed between two versions: files by their content, texts by their words, pages by looking at both. */
export function ComparePage() {
  return (
    <LatestArtifact title="Compare versions">
      {(artifact) => (artifact.versions.length < 2 ? <OneVersion /> : <Comparing artifact={artifact} />)}
    </LatestArtifact>
  );
}

function OneVersion() {
  const { artifactId = '' } = useParams();
  const { id } = useCurrentProject();
  return (
    <EmptyState
      icon={Columns2}
      title="Only one version"
      actions={
        <ButtonLink variant="primary" to={artifactPaths(id, artifactId).one}>
          Back to the artifact
        </ButtonLink>
      }
    >
      There is nothing to compare yet. The next push or edit makes a second version.
    </EmptyState>
  );
}

function Comparing({ artifact }: { readonly artifact: ArtifactDetail }) {
  const project = useCurrentProject();
  const navigate = useNavigate();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const [search, setSearch] = useSearchParams();
  const paths = artifactPaths(project.id, artifact.artifactId);
  const [width, setWidth] = useState<Width>('full');
  const numbers = artifact.versions.map(({ version }) => version);
  const pick = (name: string, otherwise: number) => {
    const value = Number(search.get(name));
    return numbers.includes(value) ? value : otherwise;
  };
  const to = pick('to', numbers[0]!);
  const from = pick('from', numbers[1]!);
  const pages = search.get('view') === 'pages' && artifact.artifactType !== 'asset';
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.comparison(project.id, artifact.artifactId, from, to),
    queryFn: ({ signal }) => api.compare(artifact.artifactId, from, to, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: from !== to,
  });
  const files = useMemo(
    () =>
      [...(data?.files ?? [])].sort(
        (a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || a.path.localeCompare(b.path),
      ),
    [data],
  );
  const differing = files.filter(({ change }) => change !== 'same');
  const chosen = files.find(({ path }) => path === search.get('file')) ?? differing[0] ?? files[0];
  const htmlPages = files.filter(({ from: a, to: b }) => a?.page || b?.page).map(({ path }) => path);
  const page = htmlPages.includes(search.get('page') ?? '') ? (search.get('page') as string) : undefined;

  const go = (part: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(part)) {
      if (value === undefined) next.delete(name);
      else next.set(name, value);
    }
    setSearch(next, { replace: true });
  };
  const step = (by: 1 | -1) => {
    if (!chosen || differing.length === 0) return;
    const at = differing.indexOf(chosen);
    const next = differing[(at + by + differing.length) % differing.length];
    if (next) go({ file: next.path, view: undefined });
  };
  useKeys('Comparison', [
    { keys: 'j', label: 'Next changed file', run: () => step(1) },
    { keys: 'k', label: 'Previous changed file', run: () => step(-1) },
  ]);

  return (
    <div className="artifact">
      <h1 className="visually-hidden">
        {artifact.name}, version {from} and {to}
      </h1>
      <div className="compare-bar">
        <span className="compare-bar__pair">
          <Icon icon={Columns2} />
          <span>Versions</span>
          <VersionSelect
            label="From version"
            value={from}
            numbers={numbers}
            onChange={(value) => go({ from: String(value) })}
          />
          <span aria-hidden="true">→</span>
          <VersionSelect
            label="To version"
            value={to}
            numbers={numbers}
            onChange={(value) => go({ to: String(value) })}
          />
          <IconButton
            label="Back to the artifact"
            icon={X}
            size="sm"
            onClick={() => void navigate(paths.one)}
          />
        </span>
        {artifact.artifactType !== 'asset' && (
          // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
          <span className="segmented" role="group" aria-label="View">
            <button type="button" aria-pressed={!pages} onClick={() => go({ view: undefined })}>
              Files
            </button>
            <button type="button" aria-pressed={pages} onClick={() => go({ view: 'pages' })}>
              Pages
            </button>
          </span>
        )}
        <span className="muted num" role="status">
          {from === to
            ? 'The same version twice'
            : data
              ? `${data.counts.changed} changed, ${data.counts.added} added, ${data.counts.removed} removed, ${data.counts.same} same`
              : 'Comparing'}
        </span>
        {pages && (
          <span className="push row" data-gap="tight">
            {htmlPages.length > 1 && (
              <Select
                size="sm"
                aria-label="Page"
                value={page ?? ''}
                onChange={(event) => go({ page: event.target.value || undefined })}
              >
                <option value="">First page</option>
                {htmlPages.map((path) => (
                  <option key={path} value={path}>
                    {path}
                  </option>
                ))}
              </Select>
            )}
            <Widths value={width} onChange={setWidth} />
          </span>
        )}
      </div>
      {error ? (
        <div className="page-body">
          <LoadProblem error={error} onRetry={() => void refetch()} />
        </div>
      ) : from === to ? (
        <p className="page-body muted">Choose two different versions above.</p>
      ) : !data ? (
        <div className="page-body">
          <Skeleton lines={8} />
        </div>
      ) : pages ? (
        <div className="compare-pages">
          {[from, to].map((version) => (
            <section key={version} className="artifact__view" aria-label={`Version ${version}`}>
              <div className="artifact__head">
                <h2>Version {version}</h2>
              </div>
              <PreviewFrame
                projectId={project.id}
                artifactId={artifact.artifactId}
                name={artifact.name}
                version={version}
                path={page}
                width={width}
                round={0}
                label={version === from ? 'before' : 'after'}
              />
            </section>
          ))}
        </div>
      ) : (
        <div className="compare-files">
          <nav className="compare-files__list" aria-label="Files">
            {ORDER.filter((change) => data.counts[change] > 0).map((change) => (
              <details key={change} open={change !== 'same' || differing.length === 0}>
                <summary className="mini-head">
                  {WORDS[change]} <span className="count">{data.counts[change]}</span>
                </summary>
                <ul className="side-group">
                  {files
                    .filter((file) => file.change === change)
                    .map((file) => (
                      <li key={file.path}>
                        <button
                          type="button"
                          className="side-link"
                          aria-current={file === chosen || undefined}
                          onClick={() => go({ file: file.path })}
                        >
                          <span className="truncate" dir="auto" title={file.path}>
                            {file.path}
                          </span>
                          <span className="count num">{growth(file)}</span>
                        </button>
                      </li>
                    ))}
                </ul>
              </details>
            ))}
          </nav>
          <section className="compare-files__one" aria-label={chosen?.path ?? 'No file'}>
            {chosen ? (
              <FileChanges
                key={chosen.path}
                projectId={project.id}
                artifactId={artifact.artifactId}
                from={from}
                to={to}
                file={chosen}
              />
            ) : (
              <p className="page-body muted">Both versions are empty.</p>
            )}
          </section>
        </div>
      )}
      {data && differing.length === 0 && from !== to && (
        <p className="page-body muted">{plural(files.length, 'file')}, and none differs.</p>
      )}
    </div>
  );
}

function growth({ from, to, change }: ComparedFile): string {
  if (change === 'same') return '';
  const by = (to?.bytes ?? 0) - (from?.bytes ?? 0);
  return by === 0 ? '±0' : `${by > 0 ? '+' : '−'}${size(Math.abs(by))}`;
}

interface VersionSelectProps {
  readonly label: string;
  readonly value: number;
  readonly numbers: readonly number[];
  readonly onChange: (value: number) => void;
}

function VersionSelect({ label, value, numbers, onChange }: VersionSelectProps) {
  return (
    <Select
      size="sm"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {numbers.map((number) => (
        <option key={number} value={number}>
          {number}
        </option>
      ))}
    </Select>
  );
}
