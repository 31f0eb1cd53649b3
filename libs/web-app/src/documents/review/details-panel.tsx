import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Chip } from '../../components/chip';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import { documentKeys, documentPaths } from '../api';
import { ALL_DOCUMENTS } from '../list/list-filters';
import type { ListFilters, Reference } from '../shapes';
import { authorName } from '../status';
import { AgentReviews } from './agent-reviews';
import { useReview } from './review-context';

/** Everything about the document that is not its text: links, series, tags, notes of the version, agent reviews. */
export function DetailsPanel() {
  const { review, projectId } = useReview();
  const { document, version } = review;
  const list = documentPaths(projectId).list;
  return (
    <div className="side-body">
      <section aria-label="This version">
        <h2 className="mini-head">Version {version.number}</h2>
        <p dir="auto">
          {version.description ?? <span className="faint">Nothing was said about this version.</span>}
        </p>
        <p className="faint small">
          {authorName(version.author)}, <RelativeTime at={version.createdAt} />
        </p>
        {version.carried + version.orphaned > 0 && (
          <p className="faint small">
            {plural(version.carried, 'thread')} came along, {version.orphaned} lost their passage.
          </p>
        )}
      </section>
      <dl className="facts">
        <dt>Series</dt>
        <dd>
          {document.series ? <SeriesPlace name={document.series} ordinal={document.seriesOrdinal} /> : 'None'}
        </dd>
        <dt>Tags</dt>
        <dd>
          {document.tags.length === 0
            ? 'None'
            : document.tags.map((tag) => (
                <Link key={tag} className="tag" to={`${list}?tag=${encodeURIComponent(tag)}`}>
                  {tag}
                </Link>
              ))}
        </dd>
        <dt>Search language</dt>
        <dd>{document.language === 'simple' ? 'Other or mixed (no stemming)' : document.language}</dd>
      </dl>
      <References title="Refers to" references={document.references} empty="No other document." />
      <References title="Referred to by" references={document.referencedBy} empty="No other document." />
      <AgentReviews />
    </div>
  );
}

function References(props: {
  readonly title: string;
  readonly references: readonly Reference[];
  readonly empty: string;
}) {
  const { projectId } = useReview();
  return (
    <section aria-label={props.title}>
      <h2 className="mini-head">{props.title}</h2>
      {props.references.length === 0 ? (
        <p className="faint">{props.empty}</p>
      ) : (
        <ul className="link-list">
          {props.references.map((reference) => (
            <li key={reference.documentId}>
              <Link to={documentPaths(projectId, reference.documentId).review} dir="auto">
                {reference.title}
              </Link>
              {reference.archived && <Chip tone="neutral">Archived</Chip>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The place in the series, with the documents before and behind. */
function SeriesPlace({ name, ordinal }: { readonly name: string; readonly ordinal: number | null }) {
  const { api, projectId, documentId } = useReview();
  const filters: ListFilters = { ...ALL_DOCUMENTS, series: name, archived: true };
  const { data } = useQuery({
    queryKey: documentKeys.list(projectId, filters),
    queryFn: ({ signal }) => api.list(filters, signal),
  });
  const rows = data?.documents ?? [];
  const at = rows.findIndex(({ id }) => id === documentId);
  const before = rows[at - 1];
  const next = at >= 0 ? rows[at + 1] : undefined;
  return (
    <>
      <Link to={`${documentPaths(projectId).list}?series=${encodeURIComponent(name)}`}>{name}</Link>
      {ordinal !== null && <span className="faint">, part {ordinal}</span>}
      {(before || next) && (
        <ul className="link-list small">
          {before && (
            <li>
              Before: <Link to={documentPaths(projectId, before.id).review}>{before.title}</Link>
            </li>
          )}
          {next && (
            <li>
              Next: <Link to={documentPaths(projectId, next.id).review}>{next.title}</Link>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
