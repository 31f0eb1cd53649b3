import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Download, ExternalLink, Monitor, RefreshCw, Smartphone, Tablet } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { IconButton } from '../../components/button';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import type { ArtifactDetail } from '../shapes';
import { firstFile } from './file-nodes';
import { FileTree } from './file-tree';
import { FileView } from './file-view';
import { PreviewFrame, type Width } from './preview-frame';
import { VersionList } from './version-list';

type Show = 'preview' | 'code';

export interface ArtifactViewProps {
  readonly artifact: ArtifactDetail;
  readonly version: NonNullable<ArtifactDetail['version']>;
  /** The version of the address, or null for the latest. */
  readonly asked: number | null;
}

/** Versions, files, and the chosen file or the page that they make. */
export function ArtifactView({ artifact, version, asked }: ArtifactViewProps) {
  const project = useCurrentProject();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const paths = artifactPaths(project.id, artifact.artifactId);
  const [search, setSearch] = useSearchParams();
  const [width, setWidth] = useState<Width>('full');
  const [round, setRound] = useState(0);
  const runs = artifact.artifactType !== 'asset' && version.entryPath !== null;
  const whole = useQuery({
    queryKey: artifactKeys.tree(project.id, artifact.artifactId, version.version),
    queryFn: ({ signal }) => api.tree(artifact.artifactId, version.version, signal),
    enabled: version.filesTruncated,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const files = whole.data ?? version.files;
  const asksFile = files.find(({ path }) => path === search.get('file'));
  const file = asksFile ?? files.find(({ path }) => path === firstFile(files, version.entryPath));
  const show: Show = !runs || search.get('show') === 'code' ? 'code' : 'preview';

  const go = (next: { show?: Show; file?: string }) => {
    const to = new URLSearchParams();
    if (asked !== null) to.set('version', String(asked));
    const path = next.file ?? asksFile?.path;
    if (path) to.set('file', path);
    if ((next.show ?? show) === 'code' && runs) to.set('show', 'code');
    setSearch(to, { replace: true });
  };
  const page = file?.page && file.path !== version.entryPath ? file.path : undefined;
  const skipped = version.skippedFiles;
  return (
    <div className="artifact__grid">
      <details className="artifact__col" open={isWide()}>
        <summary className="artifact__head">
          <h2>Versions</h2>
          <span className="count">{artifact.versions.length}</span>
          <Icon icon={ChevronDown} />
        </summary>
        <VersionList versions={artifact.versions} shown={version.version} addressOf={paths.version} />
      </details>
      <details className="artifact__col" open={isWide()}>
        <summary className="artifact__head">
          <h2>Files</h2>
          <span className="count">{files.length}</span>
          <Icon icon={ChevronDown} />
        </summary>
        <FileTree
          label={`Files of version ${version.version}`}
          files={files}
          selected={file?.path ?? null}
          onSelect={(path) => {
            const chosen = files.find((one) => one.path === path);
            go({ file: path, show: show === 'preview' && chosen?.page ? 'preview' : 'code' });
          }}
        />
        {skipped.length > 0 && (
          <details className="hint panel__foot">
            <summary>{plural(version.skippedCount, 'file')} not stored</summary>
            <ul>
              {skipped.map(({ path, reason }) => (
                <li key={path}>
                  <code dir="auto">{path}</code>: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </details>
      <section className="artifact__view" aria-labelledby="view-title">
        <div className="artifact__head">
          <h2 id="view-title" className="visually-hidden">
            {show === 'preview' ? `Preview of version ${version.version}` : (file?.path ?? 'No file')}
          </h2>
          {runs && (
            // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
            <span className="segmented" role="group" aria-label="Show">
              <button type="button" aria-pressed={show === 'preview'} onClick={() => go({ show: 'preview' })}>
                Preview
              </button>
              <button type="button" aria-pressed={show === 'code'} onClick={() => go({ show: 'code' })}>
                Code
              </button>
            </span>
          )}
          {file && (
            <code className="muted truncate wide-only" dir="auto">
              {show === 'preview' ? (page ?? version.entryPath) : file.path}
            </code>
          )}
          <span className="push row" data-gap="tight">
            {show === 'preview' ? (
              <>
                <Widths value={width} onChange={setWidth} />
                <IconButton
                  label="Reload preview"
                  icon={RefreshCw}
                  size="sm"
                  onClick={() => setRound((now) => now + 1)}
                />
                <a
                  className="btn"
                  data-icon=""
                  data-variant="ghost"
                  data-size="sm"
                  aria-label="Open in new tab"
                  title="Open in new tab"
                  href={paths.preview(version.version)}
                  target="_blank"
                  rel="noreferrer"
                >
                  <Icon icon={ExternalLink} />
                </a>
              </>
            ) : (
              file && (
                <a
                  className="btn"
                  data-icon=""
                  data-variant="ghost"
                  data-size="sm"
                  aria-label={`Download ${file.path}`}
                  title="Download file"
                  href={api.fileAddress(artifact.artifactId, version.version, file.path, true)}
                  download
                >
                  <Icon icon={Download} />
                </a>
              )
            )}
          </span>
        </div>
        {show === 'preview' ? (
          <PreviewFrame
            projectId={project.id}
            artifactId={artifact.artifactId}
            name={artifact.name}
            version={version.version}
            path={page}
            width={width}
            round={round}
          />
        ) : file ? (
          <FileView
            projectId={project.id}
            artifactId={artifact.artifactId}
            version={version.version}
            file={file}
          />
        ) : (
          <p className="page-body muted">This version holds no file.</p>
        )}
      </section>
    </div>
  );
}

const WIDTH_BUTTONS = [
  { width: 'phone', label: 'Phone, 390 px', icon: Smartphone },
  { width: 'tablet', label: 'Tablet, 768 px', icon: Tablet },
  { width: 'full', label: 'Full width', icon: Monitor },
] as const;

/** How wide the page is that runs. */
export function Widths({
  value,
  onChange,
}: {
  readonly value: Width;
  readonly onChange: (width: Width) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
    <span className="segmented wide-only" role="group" aria-label="Width">
      {WIDTH_BUTTONS.map(({ width, label, icon }) => (
        <button
          key={width}
          type="button"
          aria-pressed={value === width}
          aria-label={label}
          title={label}
          onClick={() => onChange(width)}
        >
          <Icon icon={icon} />
        </button>
      ))}
    </span>
  );
}

/** On a narrow screen the lists begin closed, so that what was made comes first. */
function isWide(): boolean {
  return window.matchMedia('(min-width: 75em)').matches;
}
