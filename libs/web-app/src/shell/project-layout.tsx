import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet, useParams } from 'react-router';
import { api } from '../api/client';
import { useLive } from '../api/live';
import { ApiProblem } from '../api/problem';
import type { Session } from '../api/types';
import { CurrentProject } from '../app/current-project';
import { sessionQuery, useProject, useSession } from '../app/session';
import { LoadProblem } from '../components/page';
import { Skeleton } from '../components/progress';
import { NotFoundPage, SwitchedOffPage } from '../pages/not-found-page';

/** Loads the project of the address before its pages, keeps it fresh, and remembers that it was looked at. */
export function ProjectLayout() {
  const { projectId = '' } = useParams();
  const queries = useQueryClient();
  const { data: project, error, refetch } = useProject(projectId);
  const { lastProjectId } = useSession();
  const known = project?.id;

  useEffect(() => {
    if (!known || known === lastProjectId) return;
    queries.setQueryData(sessionQuery.queryKey, (now: Session | undefined) =>
      now ? { ...now, lastProjectId: known } : now,
    );
    // A convenience: the next sign-in starts here. Nothing is lost when it fails.
    api.post('/session/last-project', { projectId: known }).catch(() => undefined);
  }, [known, lastProjectId, queries]);

  useLive(known ? [`project:${known}`, `project:${known}:documents`] : [], (message) => {
    void queries.invalidateQueries({ queryKey: ['project', known] });
    if (!('topic' in message) || message.topic === `project:${known}`) {
      void queries.invalidateQueries({ queryKey: ['projects'] });
    }
  });

  if (error instanceof ApiProblem && error.isSwitchedOff) return <SwitchedOffPage sentence={error.message} />;
  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;
  if (!project && error) {
    return (
      <div className="page-body">
        <LoadProblem error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!project) {
    return (
      <div className="page-body">
        <Skeleton />
      </div>
    );
  }
  return (
    <CurrentProject value={project}>
      <Outlet key={project.id} />
    </CurrentProject>
  );
}
