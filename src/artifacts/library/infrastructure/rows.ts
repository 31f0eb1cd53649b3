import { Artifact, type ArtifactState } from '../domain/artifact.js';
import type { Maker } from '../domain/artifact-types.js';

/** Columns of `artifacts.artifact a` under the names of the aggregate. */
export const ARTIFACT_COLUMNS = `a.id, a.project_id AS "projectId", a.workspace_id AS "workspaceId", a.name, a.description,
  a.artifact_type AS "artifactType", a.framework, a.origin, a.status, a.error, a.privacy, a.entry_wish AS "entryWish",
  a.latest_version AS "latestVersion", a.head_revision AS "headRevision", a.latest_entry_path AS "latestEntryPath",
  a.latest_file_count AS "latestFileCount", a.latest_total_bytes AS "latestTotalBytes",
  a.preview_epoch AS "previewEpoch", a.edit, a.archived_at AS "archivedAt", a.deleted_at AS "deletedAt",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.created_by_kind AS "makerKind", a.created_by AS "makerId"`;

export interface ArtifactRow extends Omit<ArtifactState, 'maker'> {
  readonly makerKind: Maker['kind'];
  readonly makerId: string | null;
}

export function artifactOf({ makerKind, makerId, ...state }: ArtifactRow): Artifact {
  return new Artifact({ ...state, maker: { kind: makerKind, personId: makerId } });
}
