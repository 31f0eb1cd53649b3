import { Library } from 'lucide-react';
import { Link } from 'react-router';
import { Chip, DocumentStatusChip } from '../../components/chip';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import type { DocumentRow } from '../shapes';

/** One document: what it is, where it stands, and what waits for the reader. */
export function DocumentListRow({ row, to }: { readonly row: DocumentRow; readonly to: string }) {
  return (
    <tr className="stretch">
      <th scope="row">
        <span className="doc-row__text">
          <Link className="row-title" to={to} dir="auto">
            {row.title}
          </Link>
          <span className="doc-row__sub">
            {row.versionDescription && (
              <span className="truncate" dir="auto">
                {row.versionDescription}
              </span>
            )}
            {row.series && (
              <span className="tag">
                <Icon icon={Library} size="sm" />
                {row.series}
                {row.seriesOrdinal !== null && `, ${row.seriesOrdinal}`}
              </span>
            )}
            {row.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </span>
        </span>
      </th>
      <td>
        {row.archived ? (
          <Chip tone="neutral" glyph="stopped" variant="plain">
            Archived
          </Chip>
        ) : (
          <DocumentStatusChip status={row.status} variant="plain" />
        )}
      </td>
      {row.waitingThreads > 0 ? (
        <td>
          <Chip tone="warn" glyph="addressed" variant="plain" strong>
            {plural(row.waitingThreads, 'thread')}
            <span className="visually-hidden"> waiting for you</span>
          </Chip>
        </td>
      ) : (
        <td data-none />
      )}
      <td className="end num" data-label="Version">
        {row.version}
      </td>
      <td className="nowrap muted">
        <RelativeTime at={row.updatedAt} />
      </td>
    </tr>
  );
}
