import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { size } from '../../components/format-size';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { paintCode } from '../../documents/surface/paint-code';
import { artifactKeys, artifactsApi } from '../api';
import type { FileRow } from '../shapes';

/** Texts above this are shown plain: painting them would hold the page up. Characters. */
const PAINTED_UP_TO = 200_000;
/** Texts above this are only downloaded. Bytes. */
const SHOWN_UP_TO = 2 * 1024 * 1024;

export interface FileViewProps {
  readonly projectId: string;
  readonly artifactId: string;
  readonly version: number;
  readonly file: FileRow;
}

/** One file as it is stored: its text with line numbers, its picture, or what it is. */
export function FileView({ projectId, artifactId, version, file }: FileViewProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const download = api.fileAddress(artifactId, version, file.path, true);
  if (file.kind === 'image') {
    return (
      <div className="file-picture">
        <img src={api.fileAddress(artifactId, version, file.path)} alt={file.path} />
        <p className="muted small num">
          {file.contentType}, {size(file.bytes)}
        </p>
      </div>
    );
  }
  if (file.contentType === 'video/mp4' || file.contentType === 'video/webm') {
    return (
      <div className="file-picture">
        {/* biome-ignore lint/a11y/useMediaCaption: what somebody stored has the captions it has */}
        <video src={api.fileAddress(artifactId, version, file.path)} controls />
        <p className="muted small num">
          {file.contentType}, {size(file.bytes)}
        </p>
      </div>
    );
  }
  if (file.kind === 'binary' || file.bytes > SHOWN_UP_TO) {
    return (
      <div className="file-picture">
        <p>
          {file.kind === 'binary' ? 'A binary file' : 'A long text'}: {file.contentType}, {size(file.bytes)}.
        </p>
        <a className="btn" href={download} download>
          <Download className="i" aria-hidden="true" />
          Download file
        </a>
      </div>
    );
  }
  return <Source projectId={projectId} artifactId={artifactId} version={version} file={file} />;
}

function Source({ projectId, artifactId, version, file }: FileViewProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const code = useRef<HTMLElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.text(projectId, artifactId, version, file.path),
    queryFn: ({ signal }) => api.text(artifactId, version, file.path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    const element = code.current;
    if (!element || data === undefined) return;
    element.textContent = data;
    if (data.length > PAINTED_UP_TO) return;
    let left = false;
    void paintCode(data, languageOf(file.path)).then((painted) => {
      if (painted && !left) element.replaceChildren(painted);
    });
    return () => {
      left = true;
    };
  }, [data, file.path]);
  if (error) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={10} />;
  const lines = data.split('\n').length - (data.endsWith('\n') ? 1 : 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="source" tabIndex={0} aria-label={file.path}>
      <pre className="source__lines num" aria-hidden="true">
        {Array.from({ length: Math.max(1, lines) }, (_, line) => line + 1).join('\n')}
      </pre>
      <pre className="source__text" dir="ltr">
        <code ref={code} />
      </pre>
    </section>
  );
}

/** The language of a file by its name, as the painter knows it. */
export function languageOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const names: Readonly<Record<string, string>> = {
    mjs: 'js',
    cjs: 'js',
    htm: 'html',
    svg: 'xml',
    yml: 'yaml',
    markdown: 'md',
  };
  return names[ending] ?? ending;
}
