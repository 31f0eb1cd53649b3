import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { onceARequest } from '#libs/kernel/request-memo.js';
import { Database } from '#libs/persistence/database.js';
import {
  ArtifactDirectory,
  type ArtifactFacts,
  type LocatedFile,
  type VersionFacts,
} from '../application/ports/artifact-directory.js';
import type { ManifestFile } from '../domain/artifact-types.js';
import { artifactNotFound, readOnlyWorkspace } from '../domain/refusals.js';

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** What decides who may do what with an artifact. */
interface AccessRow {
  readonly projectId: string;
  readonly agentAccess: 'write' | 'read' | 'none';
  readonly workspaceName: string;
}

type FactsRow = ArtifactFacts & AccessRow;

type LocatedRow = LocatedFile['artifact'] &
  AccessRow & { readonly number: number | null } & Nullable<ManifestFile>;

const FACTS_COLUMNS = `a.id AS "artifactId", a.project_id AS "projectId", a.workspace_id AS "workspaceId", a.name,
    a.artifact_type AS "artifactType", a.framework, a.origin, a.status, a.error, a.privacy,
    a.latest_version AS "latestVersion", a.head_revision AS "headRevision", a.latest_entry_path AS "latestEntryPath",
    a.preview_epoch AS "previewEpoch", a.archived_at IS NOT NULL AS archived, w.agent_access AS "agentAccess",
    w.name AS "workspaceName"`;

const FACTS = `SELECT ${FACTS_COLUMNS}
  FROM artifacts.artifact a JOIN artifacts.workspace w ON w.id = a.workspace_id
  WHERE a.id = $1 AND a.deleted_at IS NULL`;

/** Asked for with every part of every file that is read, so it has no more columns than that needs. */
const LOCATED = `SELECT a.id AS "artifactId", a.project_id AS "projectId", a.origin, a.status,
    a.latest_version AS "latestVersion", w.agent_access AS "agentAccess", w.name AS "workspaceName", v.number,
    f.path, f.sha256, f.bytes, f.content_type AS "contentType", f.kind
  FROM artifacts.artifact a JOIN artifacts.workspace w ON w.id = a.workspace_id
  LEFT JOIN artifacts.version v ON v.artifact_id = a.id AND v.number = coalesce($2, a.latest_version)
  LEFT JOIN artifacts.file f ON f.version_id = v.id AND f.path = $3
  WHERE a.id = $1 AND a.deleted_at IS NULL`;

const VERSION = `SELECT id AS "versionId", number, revision, entry_path AS "entryPath", created_at AS "createdAt"
  FROM artifacts.version`;

const FILE = `SELECT path, sha256, bytes, content_type AS "contentType", kind FROM artifacts.file`;

@Injectable()
export class PostgresArtifactDirectory extends ArtifactDirectory {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {
    super();
  }

  override async require(
    actor: Actor,
    artifactId: string,
    wanted: 'read' | 'write',
    projectId?: string,
  ): Promise<ArtifactFacts> {
    return this.allowed(actor, await this.row(artifactId), wanted, projectId);
  }

  override async locate(
    actor: Actor,
    artifactId: string,
    version: number | null,
    path: string,
    projectId?: string,
  ): Promise<LocatedFile> {
    const [row] = await this.located(artifactId, version, path);
    if (!row) throw artifactNotFound();
    const { number, path: found, sha256, bytes, contentType, kind, ...artifact } = row;
    return {
      artifact: await this.allowed(actor, artifact, 'read', projectId),
      version: number,
      file:
        found === null
          ? null
          : { path: found, sha256: sha256!, bytes: bytes!, contentType: contentType!, kind: kind! },
    };
  }

  override lookAhead(artifactId: string, version: number | null, path: string): void {
    // Whoever needs it asks again, and hears of a failure then.
    this.located(artifactId, version, path).catch(() => undefined);
  }

  private async located(artifactId: string, version: number | null, path: string): Promise<LocatedRow[]> {
    if (!isUuid(artifactId)) return [];
    const id = artifactId.toLowerCase();
    return onceARequest(`file ${id} ${version} ${path}`, () =>
      this.database.hot<LocatedRow>(LOCATED, [id, version, path]),
    );
  }

  private async allowed<Row extends AccessRow>(
    actor: Actor,
    row: Row | null,
    wanted: 'read' | 'write',
    projectId: string | undefined,
  ): Promise<Omit<Row, 'agentAccess' | 'workspaceName'>> {
    if (!row || (projectId !== undefined && row.projectId !== projectId)) throw artifactNotFound();
    const isAgent = actor.kind === 'connection';
    if (isAgent && row.agentAccess === 'none') throw artifactNotFound();
    await this.access.require(actor, row.projectId, wanted === 'read' ? 'read' : 'contribute', 'Artifact');
    const { agentAccess, workspaceName, ...facts } = row;
    if (isAgent && wanted === 'write' && agentAccess === 'read') throw readOnlyWorkspace(workspaceName);
    return facts;
  }

  override async find(artifactId: string): Promise<ArtifactFacts | null> {
    const row = await this.row(artifactId);
    if (!row) return null;
    const { agentAccess: _access, workspaceName: _name, ...facts } = row;
    return facts;
  }

  override async version(artifactId: string, number: number): Promise<VersionFacts | null> {
    const rows = await this.database.hot<VersionFacts>(`${VERSION} WHERE artifact_id = $1 AND number = $2`, [
      artifactId,
      number,
    ]);
    return rows[0] ?? null;
  }

  override async versionOfRevision(artifactId: string, revision: string): Promise<VersionFacts | null> {
    return this.database.one<VersionFacts>(`${VERSION} WHERE artifact_id = $1 AND revision = $2`, [
      artifactId,
      revision,
    ]);
  }

  override async file(versionId: string, path: string): Promise<ManifestFile | null> {
    const rows = await this.database.hot<ManifestFile>(`${FILE} WHERE version_id = $1 AND path = $2`, [
      versionId,
      path,
    ]);
    return rows[0] ?? null;
  }

  override async files(versionId: string): Promise<ManifestFile[]> {
    return this.database.query<ManifestFile>(`${FILE} WHERE version_id = $1 ORDER BY path`, [versionId]);
  }

  private async row(artifactId: string): Promise<FactsRow | null> {
    if (!isUuid(artifactId)) return null;
    return (await this.database.hot<FactsRow>(FACTS, [artifactId.toLowerCase()]))[0] ?? null;
  }
}
