import type { Actor } from '#libs/kernel/actor.js';
import type {
  ArtifactStatus,
  ArtifactType,
  Framework,
  ManifestFile,
  Origin,
  Privacy,
} from '../../domain/artifact-types.js';

/** What other areas ask about an artifact. */
export interface ArtifactFacts {
  readonly artifactId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly artifactType: ArtifactType;
  readonly framework: Framework | null;
  readonly origin: Origin;
  readonly status: ArtifactStatus;
  readonly error: string | null;
  readonly privacy: Privacy;
  readonly latestVersion: number | null;
  readonly headRevision: string | null;
  readonly latestEntryPath: string | null;
  readonly previewEpoch: number;
  readonly archived: boolean;
}

export interface VersionFacts {
  readonly versionId: string;
  readonly number: number;
  readonly revision: string | null;
  readonly entryPath: string | null;
  readonly createdAt: Date;
}

/** A file with where it was found; version and file are null when there is none of that number or path. */
export interface LocatedFile {
  readonly artifact: Pick<ArtifactFacts, 'artifactId' | 'origin' | 'status' | 'latestVersion'>;
  readonly version: number | null;
  readonly file: ManifestFile | null;
}

/** Right to an artifact and what it holds, for the other areas and for use cases of this one. Deleted ones are not found. */
export abstract class ArtifactDirectory {
  /**
   * The artifact, when the actor may do this with it. `read` needs the level `read` in its project, `write` needs
   * `contribute`; agents are bound by the access of its workspace too.
   * @throws DomainError `not-found`: `Artifact not found or not accessible.`, also for malformed ids; `forbidden`.
   */
  abstract require(
    actor: Actor,
    artifactId: string,
    wanted: 'read' | 'write',
    /** Where the call names a project, an artifact of another one is not found. */
    projectId?: string,
  ): Promise<ArtifactFacts>;
  /** One file for reading, in one question to the database. `version` null is the latest. @throws as `require`. */
  abstract locate(
    actor: Actor,
    artifactId: string,
    version: number | null,
    path: string,
    projectId?: string,
  ): Promise<LocatedFile>;
  /** Begins to look for what `locate` will be asked for in the same request. Shows nothing, throws nothing. */
  abstract lookAhead(artifactId: string, version: number | null, path: string): void;
  /** Without regard to who asks: for tickets, public pages and jobs. */
  abstract find(artifactId: string): Promise<ArtifactFacts | null>;
  abstract version(artifactId: string, number: number): Promise<VersionFacts | null>;
  abstract versionOfRevision(artifactId: string, revision: string): Promise<VersionFacts | null>;
  /** One file by exact path. */
  abstract file(versionId: string, path: string): Promise<ManifestFile | null>;
  /** All files in path order. */
  abstract files(versionId: string): Promise<ManifestFile[]>;
}
