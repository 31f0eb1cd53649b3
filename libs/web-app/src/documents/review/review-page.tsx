import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { useLive } from '../../api/live';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { draftsOf } from '../drafts/draft-store';
import type { Review } from '../shapes';
import { DocumentMenu } from './document-menu';
import type { ReviewScope } from './review-context';
import { ReviewWorkspace } from './review-workspace';
import { useReviewActions } from './use-review-actions';

/** The review of the newest version; the text stays when a newer one arrives, until the reader opens it. */
export function ReviewPage() {
  const { documentId = '' } = useParams();
  return <ReviewOf key={documentId} documentId={documentId} fixed={null} />;
}

/** An old version as it was left. */
export function VersionPage() {
  const { documentId = '', number = '' } = useParams();
  if (!/^[1-9]\d{0,9}$/.test(number)) return <NotFoundPage />;
  return <ReviewOf key={`${documentId}/${number}`} documentId={documentId} fixed={Number(number)} />;
}

function ReviewOf({ documentId, fixed }: { readonly documentId: string; readonly fixed: number | null }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const [shown, setShown] = useState<number | null>(fixed);
  const [firstSeen, setFirstSeen] = useState<{ version: number; lastSeen: number | null } | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: documentKeys.review(project.id, documentId, shown),
    queryFn: ({ signal }) => api.review(documentId, shown, signal),
    staleTime: 2_000,
  });

  // The newest version becomes "this version": later answers are asked for by its number. What an earlier visit left
  // behind may be long out of date, so it is shown, but not taken for the newest before the server has said so.
  useEffect(() => {
    if (!data || shown !== null || isFetching) return;
    queries.setQueryData<Review>(documentKeys.review(project.id, documentId, data.version.number), data);
    // The next visit asks anew, however soon it comes.
    void queries.invalidateQueries({
      queryKey: documentKeys.review(project.id, documentId, null),
      exact: true,
      refetchType: 'none',
    });
    setShown(data.version.number);
  }, [data, shown, isFetching, queries, project.id, documentId]);

  // What was seen before this visit must outlive the mark that the visit sets.
  const number = data?.version.number;
  useEffect(() => {
    if (!data || firstSeen?.version === data.version.number) return;
    setFirstSeen({ version: data.version.number, lastSeen: data.lastSeenVersion });
  }, [data, firstSeen]);
  useEffect(() => {
    if (number === undefined || fixed !== null) return;
    // A convenience of the next visit: nothing is lost when it fails.
    api.read(documentId, number).catch(() => undefined);
  }, [api, documentId, number, fixed]);

  useLive([`project:${project.id}:documents`], (message) => {
    if ('topic' in message && message.subjectId !== documentId) return;
    void queries.invalidateQueries({ queryKey: documentKeys.document(project.id, documentId) });
  });

  const list = documentPaths(project.id).list;
  usePage(
    data?.document.title ?? 'Document',
    [
      { label: 'Documents', to: list },
      ...(data?.document.series
        ? [{ label: data.document.series, to: `${list}?series=${encodeURIComponent(data.document.series)}` }]
        : []),
    ],
    { rail: true },
  );

  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  if (!data) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  return (
    <>
      <DocumentMenu projectId={project.id} review={data} readOnly={fixed !== null} />
      <Scoped
        key={data.version.number}
        projectId={project.id}
        documentId={documentId}
        review={data}
        lastSeen={firstSeen?.version === data.version.number ? firstSeen.lastSeen : null}
        readOnly={fixed !== null}
        onOpenNewest={() => {
          setShown(data.document.currentVersion);
          window.scrollTo({ top: 0 });
        }}
      />
    </>
  );
}

interface ScopedProps {
  readonly projectId: string;
  readonly documentId: string;
  readonly review: Review;
  readonly lastSeen: number | null;
  readonly readOnly: boolean;
  readonly onOpenNewest: () => void;
}

function Scoped({ projectId, documentId, review, lastSeen, readOnly, onOpenNewest }: ScopedProps) {
  const { person } = useSession();
  const api = useMemo(() => documentsApi(projectId), [projectId]);
  const actions = useReviewActions(projectId, documentId, review.version.number, api);
  const may = review.mayContribute && !readOnly;
  const scope = useMemo<ReviewScope>(
    () => ({
      projectId,
      documentId,
      review,
      api,
      actions,
      drafts: draftsOf(`document.${documentId}`),
      mayWrite: may && !review.document.archived,
      mayTalk: may,
      personId: person.id,
    }),
    [projectId, documentId, review, api, actions, may, person.id],
  );
  return (
    <ReviewWorkspace scope={scope} lastSeen={lastSeen} readOnly={readOnly} onOpenNewest={onOpenNewest} />
  );
}
