import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { RelativeTime } from '../../components/relative-time';
import { artifactPaths } from '../api';
import type { ArtifactRow } from '../shapes';
import { ARTIFACT_STATUS, typeWord } from '../words';
import { Marks, TYPE_ICONS } from './art-card';

export interface ArtifactRowsProps {
  readonly projectId: string;
  readonly rows: readonly ArtifactRow[];
  readonly menu: ((row: ArtifactRow) => ReactNode) | null;
  readonly busy: boolean;
}

/** The library as a table. */
export function ArtifactRows({ projectId, rows, menu, busy }: ArtifactRowsProps) {
  return (
    <table className="table" data-narrow="stack" aria-busy={busy || undefined}>
      <caption className="visually-hidden">Artifacts</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Workspace</th>
          <th scope="col" className="end">
            Version
          </th>
          <th scope="col" className="end">
            Size
          </th>
          <th scope="col">Changed</th>
          {menu && (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.artifactId}>
            <th scope="row">
              <span className="row">
                <Icon icon={TYPE_ICONS[row.artifactType]} />
                <Link className="row-title" dir="auto" to={artifactPaths(projectId, row.artifactId).one}>
                  {row.name}
                </Link>
              </span>
              <Marks
                projectId={projectId}
                row={row}
                status={row.status === 'ready' ? null : ARTIFACT_STATUS[row.status]}
              />
            </th>
            <td data-label="Type">{typeWord(row)}</td>
            <td data-label="Workspace" dir="auto">
              {row.workspaceName}
            </td>
            <td className="end num" data-label="Version">
              {row.latestVersion ?? '–'}
            </td>
            <td className="end num" data-label="Size">
              {row.totalBytes === null ? '–' : size(row.totalBytes)}
            </td>
            <td data-label="Changed">
              <RelativeTime at={row.updatedAt} />
            </td>
            {menu && <td className="end">{menu(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
