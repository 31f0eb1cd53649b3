import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, RefreshCw, Save } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { Banner } from '../../components/banner';
import { Button, ButtonLink, IconButton } from '../../components/button';
import { LeaveGuard } from '../../components/leave-guard';
import { LoadProblem } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { NotFoundPage } from '../../pages/not-found-page';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import { Widths } from '../artifact/artifact-view';
import { firstFile } from '../artifact/file-nodes';
import { FileTree } from '../artifact/file-tree';
import { FileView } from '../artifact/file-view';
import { LatestArtifact } from '../artifact/latest-artifact';
import { PreviewFrame, type Width } from '../artifact/preview-frame';
import type { ArtifactDetail } from '../shapes';
import { SourceEditor } from './source-editor';

/** Texts above this are not edited in the browser. Bytes. */
const EDITED_UP_TO = 1024 * 1024;

/** The files of an app beside the page they make: change, save as a version, look. */
export function PlaygroundPage() {
  return (
    <LatestArtifact title="Playground">
      {(artifact) =>
        artifact.artifactType === 'app' && artifact.version && artifact.revision ? (
          <Playground key={artifact.artifactId} latest={artifact} version={artifact.version} />
        ) : (
          <NotFoundPage />
        )
      }
    </LatestArtifact>
  );
}

interface PlaygroundProps {
  readonly latest: ArtifactDetail;
  readonly version: NonNullable<ArtifactDetail['version']>;
}

function Playground({ latest, version }: PlaygroundProps) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const id = latest.artifactId;
  const paths = artifactPaths(project.id, id);
  const [search, setSearch] = useSearchParams();
  // The version that is being edited. A newer one of somebody else is offered, never swapped in.
  const [base, setBase] = useState({ latest, version });
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const [width, setWidth] = useState<Width>('full');
  const [round, setRound] = useState(0);
  const changed = Object.keys(edits);
  const newer = latest.latestVersion !== null && latest.latestVersion > base.version.version ? latest : null;
  if (newer && changed.length === 0 && newer.version) setBase({ latest: newer, version: newer.version });

  useLive([`project:${project.id}:artifacts`], (message) => {
    if ('topic' in message && message.subjectId !== id) return;
    void queries.invalidateQueries({ queryKey: artifactKeys.one(project.id, id) });
  });

  /** Never back: an answer that was slow may be older than what is being edited. */
  const goOnFrom = (now: ArtifactDetail) =>
    setBase((before) =>
      now.version && now.version.version >= before.version.version
        ? { latest: now, version: now.version }
        : before,
    );

  const files = base.version.files;
  const asked = search.get('file');
  const file = files.find(({ path }) => path === (asked ?? firstFile(files, base.version.entryPath)));
  const stored = useQuery({
    queryKey: artifactKeys.text(project.id, id, base.version.version, file?.path ?? ''),
    queryFn: ({ signal }) => api.text(id, base.version.version, file?.path ?? '', signal),
    enabled: file?.kind === 'text' && file.bytes <= EDITED_UP_TO,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const save = useSubmit(
    async () => {
      const stored = await api.edit(id, {
        baseRevision: base.version.revision ?? '',
        commitMessage: `Edit ${changed.length === 1 ? changed[0] : plural(changed.length, 'file')} in the playground`,
        changes: changed.map((path) => ({ op: 'write' as const, path, content: edits[path] ?? '' })),
      });
      return { stored, sent: edits };
    },
    async ({ stored, sent }) => {
      toast({
        title: stored.unchanged
          ? 'Nothing differs from the stored version.'
          : `Stored as version ${stored.version}.`,
      });
      const now = await queries.fetchQuery({
        queryKey: artifactKeys.version(project.id, id, null),
        queryFn: ({ signal }) => api.get(id, null, signal),
      });
      // What was typed while the answer was under way is a change of its own.
      setEdits((typed) =>
        Object.fromEntries(Object.entries(typed).filter(([path, text]) => text !== sent[path])),
      );
      goOnFrom(now);
      void queries.invalidateQueries({ queryKey: [...artifactKeys.root(project.id), 'list'] });
    },
  );
  const conflict =
    save.error instanceof ApiProblem && save.error.code === 'revision_conflict' ? save.error : null;

  /** Goes on from the newest version; what was typed stays, on top of it. */
  const rebase = async () => {
    const now = await queries.fetchQuery({
      queryKey: artifactKeys.version(project.id, id, null),
      queryFn: ({ signal }) => api.get(id, null, signal),
      staleTime: 0,
    });
    goOnFrom(now);
    save.clear();
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      document.getElementById('save-version')?.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const may = latest.can.write && !latest.archived;
  const text = file ? (edits[file.path] ?? stored.data) : undefined;
  return (
    <div className="artifact">
      <LeaveGuard dirty={changed.length > 0 && !save.busy} />
      <header className="playground__bar">
        <ButtonLink variant="ghost" size="sm" icon={ArrowLeft} to={paths.one}>
          Done
        </ButtonLink>
        <h1 className="truncate" dir="auto">
          {latest.name}
        </h1>
        <span className="muted num">v{base.version.version}</span>
        <span className="push row" data-gap="tight">
          <span className="small muted" role="status">
            {changed.length > 0 ? plural(changed.length, 'changed file') : ''}
          </span>
          <Button
            id="save-version"
            variant="primary"
            size="sm"
            icon={Save}
            busy={save.busy}
            disabledReason={
              !may
                ? latest.archived
                  ? 'The artifact is archived.'
                  : 'Your role may only read.'
                : changed.length === 0
                  ? 'Change a file first.'
                  : null
            }
            onClick={() => void save.run()}
          >
            Save version
          </Button>
        </span>
      </header>
      {(conflict || (newer && changed.length > 0)) && (
        <Banner
          tone="warn"
          alert
          actions={
            <>
              <ButtonLink
                size="sm"
                to={paths.compare(base.version.version, latest.latestVersion ?? base.version.version)}
              >
                Compare
              </ButtonLink>
              <Button size="sm" onClick={() => void rebase()}>
                Go on from version {latest.latestVersion}
              </Button>
            </>
          }
        >
          Somebody stored version {latest.latestVersion} meanwhile
          {conflict &&
            Array.isArray(conflict.body.changedSinceBase) &&
            conflict.body.changedSinceBase.length > 0 && (
              <> and changed {(conflict.body.changedSinceBase as string[]).slice(0, 3).join(', ')}</>
            )}
          . What you typed is kept and will be saved on top of it.
        </Banner>
      )}
      {save.error !== null && !conflict && (
        <Banner tone="bad" alert>
          {save.problem ?? Object.values(save.fields).join(' ')}
        </Banner>
      )}
      <div className="playground">
        <section className="artifact__col" aria-label="Files">
          <FileTree
            label="Files"
            files={files}
            selected={file?.path ?? null}
            onSelect={(path) => setSearch({ file: path }, { replace: true })}
          />
        </section>
        <section className="playground__editor" aria-label="Editor">
          {!file ? (
            <p className="page-body muted">This version holds no file.</p>
          ) : file.kind !== 'text' || file.bytes > EDITED_UP_TO ? (
            <FileView projectId={project.id} artifactId={id} version={base.version.version} file={file} />
          ) : stored.error ? (
            <LoadProblem error={stored.error} onRetry={() => void stored.refetch()} />
          ) : text === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <SourceEditor
              key={file.path}
              label={file.path}
              value={text}
              readOnly={!may}
              onChange={(next) =>
                setEdits((now) => {
                  const { [file.path]: _, ...rest } = now;
                  return next === stored.data ? rest : { ...rest, [file.path]: next };
                })
              }
            />
          )}
        </section>
        <section className="artifact__view" aria-label="Preview">
          <div className="artifact__head">
            <h2>Preview</h2>
            {changed.length > 0 && <span className="small muted">shows what is stored</span>}
            <span className="push row" data-gap="tight">
              <Widths value={width} onChange={setWidth} />
              <IconButton
                label="Reload preview"
                icon={RefreshCw}
                size="sm"
                onClick={() => setRound((now) => now + 1)}
              />
            </span>
          </div>
          <PreviewFrame
            projectId={project.id}
            artifactId={id}
            name={latest.name}
            version={base.version.version}
            path={file?.page && file.path !== base.version.entryPath ? file.path : undefined}
            width={width}
            round={round}
          />
        </section>
      </div>
    </div>
  );
}
