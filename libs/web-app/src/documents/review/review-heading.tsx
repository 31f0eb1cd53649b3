import { Link } from 'react-router';
import { Banner } from '../../components/banner';
import { DocumentStatusChip } from '../../components/chip';
import { RelativeTime } from '../../components/relative-time';
import { documentPaths } from '../api';
import { authorName } from '../status';
import { Banners, type BannersProps } from './banners';
import { useReview } from './review-context';

/** What stands above the text: what the reader must know, the title, and where the version comes from. */
export function ReviewHeading({ lastSeen, readOnly, onOpenNewest, onShowLost }: BannersProps) {
  const { review, projectId, documentId } = useReview();
  const { document: doc, version } = review;
  const paths = documentPaths(projectId, documentId);
  return (
    <header className="doc-head">
      {readOnly && (
        <Banner
          tone="neutral"
          actions={
            <Link to={paths.review}>
              {version.number === doc.currentVersion
                ? 'Back to the review'
                : `Back to version ${doc.currentVersion}`}
            </Link>
          }
        >
          You are reading version {version.number} as it was left. Nothing here can change.
        </Banner>
      )}
      <Banners lastSeen={lastSeen} readOnly={readOnly} onOpenNewest={onOpenNewest} onShowLost={onShowLost} />
      <h1 dir="auto">{doc.title}</h1>
      <div className="doc-head__meta">
        <DocumentStatusChip status={doc.status} />
        <span>
          Version {version.number} by {lower(authorName(version.author))}
        </span>
        <RelativeTime at={version.createdAt} />
        {doc.series && (
          <Link to={`${paths.list}?series=${encodeURIComponent(doc.series)}`}>
            {doc.series}
            {doc.seriesOrdinal !== null && `, part ${doc.seriesOrdinal}`}
          </Link>
        )}
        {doc.tags.map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </div>
    </header>
  );
}

function lower(name: string): string {
  return name.startsWith('Agent') ? `an a${name.slice(1)}` : name;
}
