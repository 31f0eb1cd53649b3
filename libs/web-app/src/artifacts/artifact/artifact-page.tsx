import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { announce } from '../../components/announcer';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { NotFoundPage } from '../../pages/not-found-page';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import type { ArtifactDetail } from '../shapes';
import { ArtifactHead } from './artifact-head';
import { ArtifactView } from './artifact-view';
import { CardsDialog } from './cards-dialog';
import { CloneDialog } from './clone-dialog';
import { Generation } from './generation';
import { RenameDialog } from './rename-dialog';

/** What can be asked of the page from its menus. */
export type Question = 'rename' | 'cards' | 'clone' | 'delete' | 'publish' | 'unpublish' | 'restore' | null;

/** One artifact: its versions, its files, and what it looks like. */
export function ArtifactPage() {
  const { artifactId = '' } = useParams();
  const [search] = useSearchParams();
  const asked = Number(search.get('version') ?? '');
  return (
    <Loaded
      key={artifactId}
      artifactId={artifactId}
      asked={Number.isInteger(asked) && asked > 0 ? asked : null}
    />
  );
}

function Loaded({ artifactId, asked }: { readonly artifactId: string; readonly asked: number | null }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const paths = artifactPaths(project.id, artifactId);
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.version(project.id, artifactId, asked),
    queryFn: ({ signal }) => api.get(artifactId, asked, signal),
    placeholderData: (before) => before,
  });
  usePage(
    data?.name ?? 'Artifact',
    [
      { label: project.name, to: `/projects/${project.id}` },
      { label: 'Artifacts', to: paths.list },
    ],
    { rail: true },
  );
  // Set while it is deleted from here: what goes away is not asked for once more.
  const deleting = useRef(false);
  useLive([`project:${project.id}:artifacts`], (message) => {
    if (deleting.current || ('topic' in message && message.subjectId !== artifactId)) return;
    void queries.invalidateQueries({ queryKey: artifactKeys.one(project.id, artifactId) });
    if ('topic' in message && message.type === 'version') announce('A new version was stored.');
  });
  if (error instanceof ApiProblem && error.isNotFound && error.code !== 'not_found_version')
    return <NotFoundPage />;
  if (!data) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  return (
    <Artifact
      artifact={data}
      asked={asked}
      remove={async () => {
        deleting.current = true;
        try {
          await api.remove(artifactId);
        } catch (refusal) {
          deleting.current = false;
          throw refusal;
        }
      }}
    />
  );
}

interface ArtifactProps {
  readonly artifact: ArtifactDetail;
  readonly asked: number | null;
  readonly remove: () => Promise<void>;
}

function Artifact({ artifact, asked, remove }: ArtifactProps) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const paths = artifactPaths(project.id, artifact.artifactId);
  const [question, setQuestion] = useState<Question>(null);
  const shown = artifact.version?.version ?? null;
  const older = shown !== null && artifact.latestVersion !== null && shown < artifact.latestVersion;

  const refresh = () => queries.invalidateQueries({ queryKey: artifactKeys.root(project.id) });
  /** Does it, says so, and fetches again; a refusal is said and thrown on to a dialog that asked. */
  const act = async (call: () => Promise<unknown>, done: string, undo?: () => Promise<unknown>) => {
    try {
      await call();
      toast({
        title: done,
        action: undo ? { label: 'Undo', run: () => void act(undo, 'It is as it was.') } : undefined,
      });
    } catch (refusal) {
      toast({ tone: 'bad', title: 'Nothing was changed.', text: sentenceOf(refusal) });
    }
    await refresh();
  };
  const id = artifact.artifactId;
  const archive = () =>
    artifact.archived
      ? act(() => api.unarchive(id), 'The artifact is back in the library.')
      : act(
          () => api.archive(id),
          'The artifact is archived.',
          () => api.unarchive(id),
        );
  const duplicate = async () => {
    try {
      // With more than one workspace the server takes no guess: the copy goes beside its source.
      const copy = await api.duplicate(id, artifact.workspaceId);
      toast({ title: `${copy.name} is stored.` });
      void navigate(artifactPaths(project.id, copy.artifactId).one);
    } catch (refusal) {
      toast({ tone: 'bad', title: 'No copy was made.', text: sentenceOf(refusal) });
    }
  };

  const step = (by: 1 | -1) => {
    const order = artifact.versions.map(({ version }) => version);
    const next = order[order.indexOf(shown ?? 0) + by];
    if (next === undefined) return;
    void navigate(paths.version(next), { replace: true });
    announce(`Version ${next}`);
  };
  const previous = artifact.versions[artifact.versions.findIndex(({ version }) => version === shown) + 1];
  useKeys('Artifact', [
    { keys: 'j', label: 'Next older version', run: () => step(1) },
    { keys: 'k', label: 'Next newer version', run: () => step(-1) },
    ...(artifact.previewUrl
      ? [
          {
            keys: 'p',
            label: 'Open preview',
            run: () => window.open(paths.preview(older ? (shown ?? 0) : undefined)),
          },
        ]
      : []),
    ...(previous && shown
      ? [
          {
            keys: 'c',
            label: 'Compare with the version before',
            run: () => void navigate(paths.compare(previous.version, shown)),
          },
        ]
      : []),
  ]);

  return (
    <div className="artifact">
      <ArtifactHead
        artifact={artifact}
        shown={shown}
        compareWith={previous?.version ?? null}
        onAsk={setQuestion}
        onArchive={() => void archive()}
        onDuplicate={() => void duplicate()}
        onPrivacy={(privacy) =>
          void act(
            () => api.change(id, { privacy, version: artifact.edit }),
            privacy === 'public'
              ? 'Everybody with the link sees the preview.'
              : 'Only the project sees it now.',
          )
        }
      />
      {artifact.archived && (
        <Banner
          tone="neutral"
          actions={
            artifact.can.write && (
              <Button size="sm" onClick={() => void archive()}>
                Restore
              </Button>
            )
          }
        >
          This artifact is archived: everything can be read, nothing changes.
        </Banner>
      )}
      {artifact.takenDown !== null && !artifact.published && (
        <Banner tone="warn">An administrator took the published app down: {artifact.takenDown}</Banner>
      )}
      {older && (
        <Banner
          tone="neutral"
          actions={
            <>
              <Button size="sm" onClick={() => void navigate(paths.one, { replace: true })}>
                Show the latest
              </Button>
              {artifact.can.write && !artifact.archived && (
                <Button size="sm" onClick={() => setQuestion('restore')}>
                  Restore version {shown}
                </Button>
              )}
            </>
          }
        >
          Version {shown} of {artifact.latestVersion}.
        </Banner>
      )}
      {artifact.status !== 'ready' && (
        <Generation
          artifact={artifact}
          onCancel={() => void act(() => api.cancelGeneration(id), 'The generation is stopped.')}
          onRetry={() => void act(() => api.retryGeneration(id), 'It is being generated again.')}
        />
      )}
      {artifact.version && <ArtifactView artifact={artifact} version={artifact.version} asked={asked} />}
      <RenameDialog
        open={question === 'rename'}
        onClose={() => setQuestion(null)}
        artifact={artifact}
        onSave={async (change) => {
          await api.change(id, { ...change, version: artifact.edit });
          await refresh();
        }}
      />
      <CardsDialog
        open={question === 'cards'}
        onClose={() => setQuestion(null)}
        cards={artifact.cards}
        onSave={async (numbers) => {
          await api.setCards(id, numbers);
          await refresh();
        }}
      />
      <CloneDialog
        open={question === 'clone'}
        onClose={() => setQuestion(null)}
        mint={() => api.gitToken(id)}
      />
      <ConfirmDialog
        open={question === 'restore'}
        onClose={() => setQuestion(null)}
        title={`Restore version ${shown}?`}
        action={`Restore version ${shown}`}
        danger={false}
        onConfirm={async () => {
          const stored = await api.restore(id, shown ?? 0);
          toast({
            title: stored.unchanged
              ? 'The latest version has these files already.'
              : `Stored as version ${stored.version}.`,
          });
          await refresh();
          void navigate(paths.one, { replace: true });
        }}
      >
        <p>Its files are stored again as a new version. No version is lost.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'publish'}
        onClose={() => setQuestion(null)}
        title={`Publish version ${shown}?`}
        action={artifact.published ? 'Publish this version' : 'Publish'}
        danger={false}
        onConfirm={async () => {
          const live = await api.publish(id, shown ?? undefined);
          toast({ title: `Version ${live.version} is live.`, text: live.liveUrl });
          await refresh();
        }}
      >
        <p>
          Everybody who has the address sees it without signing in. It stays at version {shown} until somebody
          publishes another.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'unpublish'}
        onClose={() => setQuestion(null)}
        title={`Unpublish ${artifact.name}?`}
        action="Unpublish"
        onConfirm={async () => {
          await api.unpublish(id);
          toast({ title: 'It is no longer published.' });
          await refresh();
        }}
      >
        <p>
          Its address shows nothing from then on. When it is published again, it is back at the same address.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={question === 'delete'}
        onClose={() => setQuestion(null)}
        title={`Delete ${artifact.name}?`}
        action="Delete artifact"
        disabledReason={artifact.published ? 'Unpublish it first.' : null}
        onConfirm={async () => {
          await remove();
          toast({
            title: `${artifact.name} is deleted.`,
            action: {
              label: 'Undo',
              run: () => void act(() => api.undelete(id), `${artifact.name} is back.`),
            },
          });
          // The library must not show, and ask for, what is gone.
          queries.removeQueries({ queryKey: [...artifactKeys.root(project.id), 'list'] });
          await navigate(paths.list);
          for (const key of [artifactKeys.workspaces, artifactKeys.usage, artifactKeys.deleted]) {
            void queries.invalidateQueries({ queryKey: key(project.id) });
          }
        }}
      >
        {artifact.published && (
          <Banner tone="warn">It is published. Unpublish it first, then it can be deleted.</Banner>
        )}
        <p>
          All its versions go, and its preview stops at once. The settings of the library can bring it back
          for 30 days.
        </p>
      </ConfirmDialog>
    </div>
  );
}
