import { AppWindow, CircleX, FileText, Globe, Image as ImageIcon, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Chip } from '../../components/chip';
import { Icon } from '../../components/icon';
import { RelativeTime } from '../../components/relative-time';
import { artifactPaths } from '../api';
import { LiveTile } from '../artifact/live-tile';
import type { ArtifactRow } from '../shapes';
import { ARTIFACT_STATUS, typeWord } from '../words';

export const TYPE_ICONS: Readonly<Record<ArtifactRow['artifactType'], LucideIcon>> = {
  app: AppWindow,
  markdown: FileText,
  asset: ImageIcon,
};

export interface ArtCardProps {
  readonly projectId: string;
  readonly row: ArtifactRow;
  readonly workspace: string | null;
  readonly menu: ReactNode;
}

/** An artifact in the library: what it looks like, and what one needs to find it again. */
export function ArtCard({ projectId, row, workspace, menu }: ArtCardProps) {
  const to = artifactPaths(projectId, row.artifactId).one;
  const frame = useRef<HTMLDivElement>(null);
  const near = useNear(frame);
  const status = ARTIFACT_STATUS[row.status];
  return (
    <li className={row.archived ? 'art art--arch' : 'art'}>
      <div className="art__frame" ref={frame}>
        {row.status === 'ready' && row.latestVersion !== null ? (
          <LiveTile projectId={projectId} artifact={row} shown={near} />
        ) : (
          <div className="art__state">
            {row.status === 'generating' ? (
              <>
                <progress className="progress" data-size="sm" aria-label={`Generating ${row.name}`} />
                <span className="small muted">Generating</span>
              </>
            ) : (
              <>
                <Icon icon={CircleX} />
                <span className="small muted">Nothing was made. Open it to see why.</span>
              </>
            )}
          </div>
        )}
      </div>
      <div className="art__body">
        <Link className="row-title" to={to} dir="auto">
          {row.name}
        </Link>
        <div className="art__meta">
          <span>{typeWord(row)}</span>
          {row.latestVersion !== null && <span className="num">v{row.latestVersion}</span>}
          {workspace && <span>{workspace}</span>}
          <RelativeTime at={row.updatedAt} />
        </div>
        <div className="art__end">
          <Marks projectId={projectId} row={row} status={row.status === 'ready' ? null : status} />
          {menu}
        </div>
      </div>
    </li>
  );
}

interface MarksProps {
  readonly projectId: string;
  readonly row: ArtifactRow;
  readonly status: (typeof ARTIFACT_STATUS)[ArtifactRow['status']] | null;
}

/** What is special about an artifact: state, publication, cards. */
export function Marks({ projectId, row, status }: MarksProps) {
  const { cards } = row;
  return (
    <div className="art__foot">
      {status && (
        <Chip tone={status.tone} glyph={status.glyph}>
          {status.word}
        </Chip>
      )}
      {row.published && (
        <span className="chip" data-tone="good">
          <Icon icon={Globe} />
          Published
        </span>
      )}
      {row.privacy === 'public' && !row.published && (
        <span className="chip" data-variant="outline">
          <Icon icon={Globe} />
          Public link
        </span>
      )}
      {row.archived && (
        <Chip tone="neutral" variant="outline">
          Archived
        </Chip>
      )}
      {cards.slice(0, 3).map((card) => (
        <Link
          key={card.cardId}
          className="tag"
          to={`/projects/${projectId}/cards/${card.number}`}
          title={card.title}
        >
          #{card.number}
        </Link>
      ))}
      {cards.length > 3 && <span className="small muted">and {cards.length - 3} more</span>}
    </div>
  );
}

/** True once the element came near the window: pictures further down cost nothing. */
function useNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}
