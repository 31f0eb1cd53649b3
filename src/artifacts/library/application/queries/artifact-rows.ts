import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import type {
  ArtifactStatus,
  ArtifactType,
  Framework,
  Maker,
  Origin,
  Privacy,
} from '../../domain/artifact-types.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { LibraryHooks } from '../ports/library-hooks.js';

/** A row of `artifact_list` (`artifacts.md` 6.1). */
export interface ArtifactRow {
  readonly artifactId: string;
  /** The same id, under the name that clients of other servers know. */
  readonly sessionId: string;
  readonly name: string;
  readonly description: string;
  readonly artifactType: ArtifactType;
  readonly framework: Framework | null;
  readonly origin: Origin;
  readonly status: ArtifactStatus;
  readonly latestVersion: number | null;
  readonly revision: string | null;
  readonly fileCount: number | null;
  readonly totalBytes: number | null;
  readonly workspaceId: string;
  readonly privacy: Privacy;
  readonly published: boolean;
  readonly archived: boolean;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly url: string;
}

/** The same with what only pages and `artifact_get` show. */
export interface RowWithMore extends ArtifactRow {
  readonly entryPath: string | null;
  readonly error: string | null;
  readonly edit: number;
  readonly workspaceName: string;
  readonly liveUrl: string | null;
  readonly maker: Maker;
}

export interface RowFilter {
  readonly projectId: string;
  readonly artifactId?: string;
  readonly archived: 'without' | 'with' | 'only';
  readonly workspaceId?: string;
  readonly artifactType?: string;
  readonly origin?: string;
  /** Every one of these words is in the name or the description. */
  readonly words?: readonly string[];
  /** Without artifacts of workspaces that agents do not see. */
  readonly forAgents: boolean;
  readonly sort?: 'newest' | 'changed';
  readonly limit: number;
  readonly offset: number;
}

type StoredRow = Omit<RowWithMore, 'sessionId' | 'published' | 'archived' | 'url' | 'liveUrl' | 'maker'> & {
  readonly makerKind: Maker['kind'];
  readonly makerId: string | null;
};

const COLUMNS = `a.id AS "artifactId", a.name, a.description, a.artifact_type AS "artifactType", a.framework, a.origin,
  a.status, a.error, a.latest_version AS "latestVersion", a.head_revision AS revision,
  a.latest_file_count AS "fileCount", a.latest_total_bytes AS "totalBytes", a.workspace_id AS "workspaceId", a.privacy,
  a.archived_at AS "archivedAt", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  a.latest_entry_path AS "entryPath", a.edit, w.name AS "workspaceName", a.created_by_kind AS "makerKind",
  a.created_by AS "makerId"`;

/** Reads rows of the library: one query whatever their number, and one for what is published. */
@Injectable()
export class ArtifactRows {
  constructor(
    private readonly database: Database,
    private readonly addresses: ArtifactAddresses,
    private readonly hooks: LibraryHooks,
  ) {}

  async read(filter: RowFilter): Promise<RowWithMore[]> {
    const { where, values } = conditions(filter);
    const order = filter.sort === 'changed' ? 'a.updated_at' : 'a.created_at';
    // The page is cut before the names of workspaces are looked up; the planner would join all rows first.
    const rows = await this.database.hot<StoredRow>(
      `SELECT ${COLUMNS} FROM (
         SELECT * FROM artifacts.artifact a WHERE ${where}
         ORDER BY ${order} DESC, a.id DESC LIMIT $1 OFFSET $2) a
       JOIN artifacts.workspace w ON w.id = a.workspace_id ORDER BY ${order} DESC, a.id DESC`,
      [filter.limit, filter.offset, ...values],
    );
    const published = await this.hooks.published(rows.map(({ artifactId }) => artifactId));
    return rows.map(({ makerKind, makerId, ...row }) => {
      const live = published.get(row.artifactId) ?? null;
      return {
        ...row,
        sessionId: row.artifactId,
        published: live !== null,
        liveUrl: live?.liveUrl ?? null,
        archived: row.archivedAt !== null,
        url: this.addresses.page(filter.projectId, row.artifactId),
        maker: { kind: makerKind, personId: makerId },
      };
    });
  }

  async count(filter: RowFilter): Promise<number> {
    const { where, values } = conditions(filter, 1);
    const [row] = await this.database.hot<{ count: number }>(
      `SELECT count(*) FROM artifacts.artifact a WHERE ${where}`,
      values,
    );
    return row!.count;
  }
}

/** The row as `artifact_list` shows it. */
export function listRow(row: RowWithMore): ArtifactRow {
  return {
    artifactId: row.artifactId,
    sessionId: row.sessionId,
    name: row.name,
    description: row.description,
    artifactType: row.artifactType,
    framework: row.framework,
    origin: row.origin,
    status: row.status,
    latestVersion: row.latestVersion,
    revision: row.revision,
    fileCount: row.fileCount,
    totalBytes: row.totalBytes,
    workspaceId: row.workspaceId,
    privacy: row.privacy,
    published: row.published,
    archived: row.archived,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    url: row.url,
  };
}

/** Words of a search, at most ten; blank means none. */
export function searchWords(search: string | null | undefined): string[] {
  return (search ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 10);
}

function conditions(filter: RowFilter, first = 3): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const next = (value: unknown): string => {
    values.push(value);
    return `$${first + values.length - 1}`;
  };
  const parts = [`a.project_id = ${next(filter.projectId)}`, 'a.deleted_at IS NULL'];
  if (filter.archived === 'without') parts.push('a.archived_at IS NULL');
  if (filter.archived === 'only') parts.push('a.archived_at IS NOT NULL');
  if (filter.artifactId !== undefined) parts.push(`a.id = ${next(filter.artifactId)}`);
  if (filter.workspaceId !== undefined) parts.push(`a.workspace_id = ${next(filter.workspaceId)}`);
  if (filter.artifactType !== undefined) parts.push(`a.artifact_type = ${next(filter.artifactType)}`);
  if (filter.origin !== undefined) parts.push(`a.origin = ${next(filter.origin)}`);
  if (filter.words && filter.words.length > 0) {
    const patterns = filter.words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    parts.push(`(a.name || ' ' || a.description) ILIKE ALL(${next(patterns)}::text[])`);
  }
  if (filter.forAgents) {
    parts.push(
      `NOT EXISTS (SELECT 1 FROM artifacts.workspace n WHERE n.id = a.workspace_id AND n.agent_access = 'none')`,
    );
  }
  return { where: parts.join(' AND '), values };
}
