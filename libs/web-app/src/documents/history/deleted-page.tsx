import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { Button, ButtonLink } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { LoadProblem, PageHead } from '../../components/page';
import { PageControls } from '../../components/page-controls';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { Workspace } from '../review/document-menu';
import type { Thread } from '../shapes';
import { authorName } from '../status';
import { RenderedHtml } from '../surface/rendered-html';

/** Threads that were deleted: back again, or gone for good. */
export function DeletedPage() {
  const { documentId = '' } = useParams();
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const paths = documentPaths(project.id, documentId);
  const [purging, setPurging] = useState<Thread | null>(null);
  usePage(
    'Deleted threads',
    [
      { label: 'Documents', to: paths.list },
      { label: 'Review', to: paths.review },
    ],
    { rail: true },
  );
  const { data, error, refetch } = useQuery({
    queryKey: documentKeys.deleted(project.id, documentId),
    queryFn: ({ signal }) => api.deleted(documentId, signal),
  });
  const refresh = () =>
    queries.invalidateQueries({ queryKey: documentKeys.document(project.id, documentId) });
  const restore = async (thread: Thread) => {
    try {
      await api.restore(documentId, thread.id);
      toast({ title: 'Thread restored.' });
    } catch (failure) {
      toast({ tone: 'bad', title: 'The thread was not restored.', text: sentenceOf(failure) });
    } finally {
      void refresh();
    }
  };
  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  return (
    <>
      <PageControls>
        <Workspace paths={paths} />
      </PageControls>
      <PageHead title="Deleted threads" sub="Agents do not see them and no count holds them." />
      <div className="page-body history">
        {error && !data ? (
          <LoadProblem error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <EmptyState
            icon={Trash2}
            title="Nothing deleted"
            actions={<ButtonLink to={paths.review}>Back to the review</ButtonLink>}
          >
            Threads that are deleted on this document wait here until they are restored or deleted for good.
          </EmptyState>
        ) : (
          <ol className="history__list">
            {data.map((thread) => (
              <li key={thread.id} className="history__item history__item--plain">
                <div className="stack" data-gap="tight" data-fill>
                  <span className="small faint">
                    {authorName(thread.author)}, <RelativeTime at={thread.createdAt} />
                    {thread.replies.length > 0 && `, ${plural(thread.replies.length, 'reply', 'replies')}`}
                  </span>
                  {thread.anchor && (
                    <blockquote className="thread__quote" dir="auto">
                      {thread.anchor.quote}
                    </blockquote>
                  )}
                  {thread.bodyHtml && <RenderedHtml className="comment__text" html={thread.bodyHtml} />}
                </div>
                <span className="row">
                  <Button size="sm" onClick={() => void restore(thread)}>
                    Restore
                  </Button>
                  <Button size="sm" variant="danger" onClick={() => setPurging(thread)}>
                    Delete for good
                  </Button>
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
      <ConfirmDialog
        open={purging !== null}
        onClose={() => setPurging(null)}
        title="Delete this thread for good?"
        action="Delete for good"
        onConfirm={async () => {
          if (!purging) return;
          await api.purge(documentId, purging.id);
          toast({ title: 'Deleted for good.' });
          void refresh();
        }}
      >
        <p>Its comments and replies are removed. This cannot be taken back.</p>
      </ConfirmDialog>
    </>
  );
}
