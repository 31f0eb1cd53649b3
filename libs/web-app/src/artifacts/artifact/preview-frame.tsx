import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useMemo } from 'react';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { artifactKeys, artifactsApi } from '../api';

/** Widths a page can be looked at, in CSS pixels; null fills what there is. */
export const WIDTHS = { phone: 390, tablet: 768, full: null } as const;
export type Width = keyof typeof WIDTHS;

export interface PreviewFrameProps {
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: string;
  readonly version: number;
  /** Page to show; the entry without it. */
  readonly path?: string;
  readonly width: Width;
  /** Raised to load the page again. */
  readonly round: number;
  /** Distinguishes two frames on a page. */
  readonly label?: string;
}

/** The files of a version, run where they can reach nothing. */
export function PreviewFrame(props: PreviewFrameProps) {
  const { projectId, artifactId, name, version, path, width, round, label } = props;
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const { data, error, refetch } = useQuery({
    queryKey: artifactKeys.ticket(projectId, artifactId, version),
    queryFn: ({ signal }) => api.ticket(artifactId, version, signal),
    // A ticket lives twelve hours.
    staleTime: 60 * 60_000,
  });
  const after = `after-preview-${version}${label ? `-${label}` : ''}`;
  return (
    <>
      <a className="skip-frame" href={`#${after}`}>
        Skip preview
      </a>
      <div className="artifact__stage" data-width={width}>
        {error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <iframe
            key={`${round} ${path ?? ''}`}
            title={`Preview of ${name}, version ${version}${label ? `, ${label}` : ''}`}
            src={path ? data.baseUrl + path.split('/').map(encodeURIComponent).join('/') : data.frameUrl}
            sandbox={data.sandbox}
            width={WIDTHS[width] ?? undefined}
          />
        ) : (
          <Skeleton lines={3} />
        )}
      </div>
      <p className="artifact__note" id={after} tabIndex={-1}>
        <Icon icon={Lock} size="sm" />
        Runs on its own origin, without access to your session.
      </p>
    </>
  );
}
