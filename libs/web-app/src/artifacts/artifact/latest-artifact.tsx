import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useParams } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { NotFoundPage } from '../../pages/not-found-page';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import type { ArtifactDetail } from '../shapes';

export interface LatestArtifactProps {
  /** Names the page in the tab of the browser. */
  readonly title: string;
  readonly children: (artifact: ArtifactDetail) => ReactNode;
}

/** A page below an artifact, once the artifact of its address is there in its latest version. */
export function LatestArtifact({ title, children }: LatestArtifactProps) {
  const { artifactId = '' } = useParams();
  const project = useCurrentProject();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const paths = artifactPaths(project.id, artifactId);
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.version(project.id, artifactId, null),
    queryFn: ({ signal }) => api.get(artifactId, null, signal),
  });
  usePage(
    title,
    [
      { label: 'Artifacts', to: paths.list },
      { label: data?.name ?? 'Artifact', to: paths.one },
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
  return children(data);
}
