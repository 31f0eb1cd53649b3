import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { size } from '../../components/format-size';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { artifactKeys, artifactsApi } from '../api';
import { FileView } from '../artifact/file-view';
import type { ComparedFile, FileDiff } from '../shapes';
import { type NumberedLine, numbered, sideBySide } from './diff-rows';
import { PictureChanges } from './picture-changes';

export interface FileChangesProps {
  readonly projectId: string;
  readonly artifactId: string;
  readonly from: number;
  readonly to: number;
  readonly file: ComparedFile;
}

/** What changed in one file. */
export function FileChanges({ projectId, artifactId, from, to, file }: FileChangesProps) {
  const present = file.to ?? file.from;
  if (!present) return null;
  const version = file.to ? to : from;
  if (file.change === 'same') {
    return (
      <>
        <Head path={file.path} note="Not changed" />
        <FileView projectId={projectId} artifactId={artifactId} version={version} file={present} />
      </>
    );
  }
  if (file.from?.kind === 'image' || file.to?.kind === 'image') {
    return (
      <>
        <Head path={file.path} note={bytes(file)} />
        <PictureChanges projectId={projectId} artifactId={artifactId} from={from} to={to} file={file} />
      </>
    );
  }
  if (present.kind === 'binary') {
    return (
      <>
        <Head path={file.path} note={bytes(file)} />
        <p className="page-body muted">A binary file of type {present.contentType}.</p>
      </>
    );
  }
  return <TextChanges projectId={projectId} artifactId={artifactId} from={from} to={to} file={file} />;
}

function TextChanges({ projectId, artifactId, from, to, file }: FileChangesProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const [split, setSplit] = useState(() => window.matchMedia('(min-width: 75em)').matches);
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.diff(projectId, artifactId, from, to, file.path),
    queryFn: ({ signal }) => api.diff(artifactId, from, to, file.path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const present = file.to ?? file.from;
  return (
    <>
      <Head path={file.path} note={bytes(file)}>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented push wide-only" role="group" aria-label="Layout of the comparison">
          <button type="button" aria-pressed={split} onClick={() => setSplit(true)}>
            Side by side
          </button>
          <button type="button" aria-pressed={!split} onClick={() => setSplit(false)}>
            Unified
          </button>
        </span>
      </Head>
      {error ? (
        <LoadProblem error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.kind === 'too-large' ? (
        <>
          <p className="page-body muted">Too long to compare line by line; this is the newer text.</p>
          {present && (
            <FileView
              projectId={projectId}
              artifactId={artifactId}
              version={file.to ? to : from}
              file={present}
            />
          )}
        </>
      ) : (
        <Lines diff={data} split={split} />
      )}
    </>
  );
}

function Lines({ diff, split }: { readonly diff: FileDiff; readonly split: boolean }) {
  return (
    <section
      className={split ? 'diff diff--split' : 'diff diff--page'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
      tabIndex={0}
      aria-label={`Changed lines of ${diff.path}`}
    >
      {diff.hunks.map((hunk, index) => {
        const lines = numbered(hunk);
        return (
          <div key={`${hunk.fromLine} ${hunk.toLine}`} className="diff__hunk">
            {index > 0 && <div className="diff__gap">⋯ lines {hunk.toLine} on</div>}
            {split
              ? sideBySide(lines).map(({ left, right }) => (
                  <div key={`${left?.left ?? 'x'} ${right?.right ?? 'x'}`} className="diff__pair">
                    <Half line={left} number={left?.left ?? null} cut />
                    <Half line={right} number={right?.right ?? null} />
                  </div>
                ))
              : lines.map((line) => (
                  <div
                    key={`${line.op} ${line.left ?? 'x'} ${line.right ?? 'x'}`}
                    className="diff__line"
                    data-change={line.op === '+' ? 'add' : line.op === '-' ? 'cut' : undefined}
                  >
                    <span>{line.left}</span>
                    <span>{line.right}</span>
                    <span>{line.op === ' ' ? ' ' : line.op === '+' ? '+' : '−'}</span>
                    <span dir="auto">
                      <Words line={line} />
                    </span>
                  </div>
                ))}
          </div>
        );
      })}
    </section>
  );
}

interface HalfProps {
  readonly line: NumberedLine | null;
  readonly number: number | null;
  readonly cut?: boolean;
}

function Half({ line, number, cut }: HalfProps) {
  const change = line && line.op !== ' ' ? (cut ? 'cut' : 'add') : undefined;
  return (
    <div className="diff__half" data-change={change} data-none={line === null || undefined}>
      <span className="num">{number}</span>
      <span>{change === 'cut' ? '−' : change === 'add' ? '+' : ''}</span>
      <span dir="auto">{line && <Words line={line} />}</span>
    </div>
  );
}

function Words({ line }: { readonly line: NumberedLine }) {
  if (!line.words) return line.text || ' ';
  return line.words.map((word, index) => {
    const key = `${index} ${word.op}`;
    if (word.op === '-') return <del key={key}>{word.text}</del>;
    if (word.op === '+') return <ins key={key}>{word.text}</ins>;
    return <span key={key}>{word.text}</span>;
  });
}

interface HeadProps {
  readonly path: string;
  readonly note: string;
  readonly children?: React.ReactNode;
}

function Head({ path, note, children }: HeadProps) {
  return (
    <div className="artifact__head">
      <h2 className="truncate" dir="auto">
        {path}
      </h2>
      <span className="small muted num">{note}</span>
      {children}
    </div>
  );
}

function bytes({ change, from, to }: ComparedFile): string {
  if (change === 'added') return `added, ${size(to?.bytes ?? 0)}`;
  if (change === 'removed') return `removed, was ${size(from?.bytes ?? 0)}`;
  return `${size(from?.bytes ?? 0)} → ${size(to?.bytes ?? 0)}`;
}
