import type { Actor } from '#libs/kernel/actor.js';
import type {
  ArtifactType,
  Framework,
  Maker,
  Origin,
  SkippedFile,
  VersionSource,
} from '../../domain/artifact-types.js';
import type { ArtifactBlob } from './artifact-blobs.js';

/** A file that wants to be in a version: its bytes are stored already. */
export interface CandidateFile {
  /** As its source names it; the policy decides whether it is safe and stored. */
  readonly path: string;
  readonly blob: ArtifactBlob;
}

/** A new artifact that gets its first version in the same transaction. */
export interface NewArtifact {
  readonly artifactId: string;
  readonly projectId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly description: string;
  readonly artifactType: ArtifactType;
  readonly framework: Framework | null;
  readonly origin: Origin;
  readonly entryWish: string | null;
}

export interface VersionToStore {
  readonly target: { readonly create: NewArtifact } | { readonly artifactId: string };
  readonly files: readonly CandidateFile[];
  /** Left out by whoever read the source, without storing their bytes. */
  readonly skipped?: readonly SkippedFile[];
  readonly notes: string;
  readonly source: VersionSource;
  readonly maker: Maker;
  /** Who caused it, for events and audit; jobs name the system. */
  readonly actor: Actor;
  /** The latest revision has to be this one; without it any latest version may be replaced. */
  readonly baseRevision?: string;
  /** The commit exists already, from a push over git: nothing is written to the repository and `main` is not moved. */
  readonly commit?: string;
  /**
   * The commit follows this one, or none, instead of the latest revision, and holds all files: for a repository that lost
   * the latest revision.
   */
  readonly onto?: { readonly commit: string | null };
  /** The push that contents of the files were staged for. */
  readonly staged?: string;
  /** Store even when the files equal those of the latest version. */
  readonly always?: boolean;
  /** Runs in the transaction that stores the version, after its rows were written; what it throws undoes everything. */
  readonly inTransaction?: (stored: StoredVersion) => Promise<void>;
}

export interface StoredVersion {
  readonly artifactId: string;
  readonly projectId: string;
  readonly version: number;
  /** Null for assets. */
  readonly revision: string | null;
  readonly previousRevision: string | null;
  /** The files equal those of the latest version, so nothing was stored. */
  readonly unchanged: boolean;
  readonly entryPath: string | null;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly skippedFiles: readonly SkippedFile[];
  /** Paths that differ from the version before, in order. */
  readonly changedFiles: readonly string[];
}

/**
 * The one way in which a version is stored: policy, lock, base check, commit, transaction, ref (`artifacts.md` 3.8).
 * It checks limits and the state of the artifact, never the right of the caller.
 */
export abstract class VersionStore {
  /**
   * @throws DomainError `invalid` for an unsafe path (naming it); `conflict` with code `revision_conflict` and
   * `facts {currentRevision, changedSinceBase}`, `busy` after 10 s of waiting for another writer, `archived`, `limit`;
   * `not-found`; `unavailable` without git.
   */
  abstract store(version: VersionToStore): Promise<StoredVersion>;
}
