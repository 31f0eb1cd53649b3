import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayContribute } from '../../app/session';
import { Banner } from '../../components/banner';
import { Button, ButtonLink } from '../../components/button';
import { Field } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { draftsOf } from '../drafts/draft-store';
import { useDraft } from '../drafts/use-draft';
import type { DocumentDetail } from '../shapes';
import { MarkdownField } from './markdown-field';
import { Refusal, tellWarnings } from './refusal';

interface RevisionDraft {
  readonly title: string;
  readonly markdown: string;
  readonly description: string;
  readonly baseVersion: number;
}

/** Writes the next version of a document. */
export function RevisePage() {
  const { documentId = '' } = useParams();
  const project = useCurrentProject();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    queryKey: documentKeys.detail(project.id, documentId),
    queryFn: ({ signal }) => api.get(documentId, signal),
    staleTime: 0,
  });
  const paths = documentPaths(project.id, documentId);
  usePage(data ? `Revise: ${data.title}` : 'Revise', [{ label: 'Documents', to: paths.list }]);
  if (!mayContribute(project.role) || (error instanceof ApiProblem && error.isNotFound))
    return <NotFoundPage />;
  // The form begins with the text of this moment, not with what an earlier visit left behind.
  if (!data || !isFetchedAfterMount) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  return <ReviseForm key={data.id} document={data} />;
}

function ReviseForm({ document }: { readonly document: DocumentDetail }) {
  const project = useCurrentProject();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const paths = documentPaths(project.id, document.id);
  const [kept, keep, drop] = useDraft<RevisionDraft>(draftsOf(`document.${document.id}`), 'revision');
  const [start] = useState<RevisionDraft>({
    title: document.title,
    markdown: document.markdown,
    description: '',
    baseVersion: document.version,
  });
  const draft = kept ?? start;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [refused, setRefused] = useState<number | null>(null);
  const fields = problem instanceof ApiProblem ? problem.fields : {};
  const set = (part: Partial<RevisionDraft>) => keep({ ...draft, ...part });
  const newest = Math.max(document.version, refused ?? 0);
  const stale = draft.baseVersion < newest;
  const blocked = document.archived
    ? 'The document is archived. Unarchive it first.'
    : draft.description.trim() === ''
      ? 'Say what changed in this version.'
      : draft.markdown.trim() === ''
        ? 'The Markdown must not be blank.'
        : draft.title.trim() === ''
          ? 'A document title must not be blank.'
          : stale
            ? `Version ${newest} arrived meanwhile. Look at its changes first.`
            : null;

  const save = async () => {
    if (busy || blocked) return;
    setBusy(true);
    setProblem(null);
    try {
      const saved = await api.revise(document.id, {
        markdown: draft.markdown,
        description: draft.description,
        baseVersion: draft.baseVersion,
        ...(draft.title === document.title ? {} : { title: draft.title }),
      });
      drop();
      tellWarnings(saved.warnings);
      toast({
        title: `Version ${saved.version} saved.`,
        text:
          saved.carried + saved.orphaned === 0
            ? undefined
            : `${plural(saved.carried, 'thread')} came along, ${saved.orphaned} lost their passage.`,
      });
      void queries.invalidateQueries({ queryKey: documentKeys.root(project.id) });
      await navigate(paths.review);
    } catch (error) {
      if (error instanceof ApiProblem && error.code.startsWith('stale')) {
        setRefused(Number(error.body.currentVersion ?? document.version + 1));
      } else setProblem(error);
      setBusy(false);
    }
  };

  return (
    <>
      <PageHead
        title={`Revise to version ${newest + 1}`}
        sub="Open threads come along to the new version and stay on their words."
      />
      <form
        className="write"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {stale && (
          <Banner
            tone="warn"
            alert={refused !== null}
            actions={
              <>
                <ButtonLink size="sm" variant="ghost" to={paths.diff(draft.baseVersion, newest)}>
                  See changes
                </ButtonLink>
                <Button size="sm" onClick={() => set({ baseVersion: newest })}>
                  I took them over
                </Button>
              </>
            }
          >
            Version {newest} arrived after you began from version {draft.baseVersion}. Your text is kept. Look
            at what changed, take over what you need, then save.
          </Banner>
        )}
        {kept !== null && !stale && kept.markdown !== document.markdown && (
          <Banner
            tone="neutral"
            actions={
              <Button size="sm" variant="ghost" onClick={drop}>
                Begin anew
              </Button>
            }
          >
            Your unsaved text was kept.
          </Banner>
        )}
        <Refusal problem={problem} />
        <Field label="Title" error={fields.title}>
          {(control) => (
            <input
              {...control}
              className="input"
              data-size="lg"
              dir="auto"
              maxLength={255}
              value={draft.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <MarkdownField
          api={api}
          value={draft.markdown}
          error={fields.markdown}
          onChange={(markdown) => set({ markdown })}
        />
        <Field
          label="What changed"
          hint="Required. For a reader of the last version: which sections, and why."
          error={fields.description}
        >
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              dir="auto"
              rows={2}
              required
              maxLength={2000}
              value={draft.description}
              onChange={(event) => set({ description: event.target.value })}
            />
          )}
        </Field>
        <div className="write__foot">
          <ButtonLink to={paths.review}>Cancel</ButtonLink>
          <Button type="submit" variant="primary" busy={busy} disabledReason={blocked}>
            Save new version
          </Button>
        </div>
      </form>
    </>
  );
}
