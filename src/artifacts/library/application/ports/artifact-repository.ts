import type { Artifact } from '../../domain/artifact.js';
import type { Maker, ManifestFile, SkippedFile, VersionSource } from '../../domain/artifact-types.js';

/** A version as it is written; it never changes afterwards. */
export interface NewVersionRow {
  readonly id: string;
  readonly artifactId: string;
  readonly number: number;
  readonly revision: string | null;
  readonly notes: string;
  readonly source: VersionSource;
  readonly entryPath: string | null;
  /** In path order. */
  readonly files: readonly ManifestFile[];
  readonly totalBytes: number;
  readonly digest: string;
  readonly skippedFiles: readonly SkippedFile[];
  readonly skippedCount: number;
  readonly maker: Maker;
  readonly at: Date;
}

/** Artifacts as aggregates. All but `find` need a running unit of work. */
export abstract class ArtifactRepository {
  /** Deleted ones too. */
  abstract find(artifactId: string): Promise<Artifact | null>;
  /** The same, locked until the end of the transaction. */
  abstract lock(artifactId: string): Promise<Artifact | null>;
  abstract add(artifact: Artifact): Promise<void>;
  abstract save(artifact: Artifact): Promise<void>;
  /** Writes the version and its files. @throws DomainError `unavailable` when a blob of it is gone. */
  abstract addVersion(version: NewVersionRow): Promise<void>;
}
