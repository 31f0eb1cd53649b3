import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Icon } from '../../components/icon';
import { artifactKeys, artifactsApi } from '../api';
import { TYPE_ICONS } from '../library/art-card';
import type { ArtifactRow } from '../shapes';

export interface LiveTileProps {
  readonly projectId: string;
  readonly artifact: ArtifactRow;
  /** Nothing is fetched before the tile is near the window. */
  readonly shown: boolean;
}

/** A small living picture of the newest version: the page itself, drawn small and without a way into it. */
export function LiveTile({ projectId, artifact, shown }: LiveTileProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const [failed, setFailed] = useState(false);
  const { artifactId, latestVersion, artifactType } = artifact;
  const { data: ticket } = useQuery({
    queryKey: artifactKeys.ticket(projectId, artifactId, latestVersion),
    queryFn: ({ signal }) => api.ticket(artifactId, latestVersion, signal),
    enabled: shown && latestVersion !== null && artifactType !== 'asset',
    staleTime: 60 * 60_000,
    retry: false,
  });
  const picture = useQuery({
    queryKey: artifactKeys.version(projectId, artifactId, latestVersion),
    queryFn: ({ signal }) => api.get(artifactId, latestVersion, signal),
    enabled: shown && artifactType === 'asset',
    staleTime: 60 * 60_000,
    retry: false,
  });
  const file = picture.data?.version?.files[0];
  if (
    artifactType === 'asset' &&
    file &&
    latestVersion !== null &&
    file.contentType.startsWith('image/') &&
    !failed
  ) {
    return (
      <img
        className="art__thumb tile-image"
        src={api.fileAddress(artifactId, latestVersion, file.path)}
        alt=""
        loading="lazy"
        onError={() => setFailed(true)}
      />
    );
  }
  if (ticket) {
    return (
      <div className="tile-page" inert>
        <iframe
          title={`Small picture of ${artifact.name}`}
          src={ticket.frameUrl}
          sandbox="allow-scripts"
          loading="lazy"
          tabIndex={-1}
        />
      </div>
    );
  }
  return (
    <div className="art__state" aria-hidden="true">
      <Icon icon={TYPE_ICONS[artifactType]} size="lg" />
    </div>
  );
}
