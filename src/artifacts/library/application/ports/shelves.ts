/** What a project holds in all, against its quotas. Each call runs in the transaction of the caller. */
export abstract class Shelves {
  /** Counts one more artifact. @throws DomainError `conflict` `limit` above `artifacts.project_max_artifacts`. */
  abstract addArtifact(projectId: string): Promise<void>;
  abstract removeArtifacts(projectId: string, count: number): Promise<void>;
  /** Counts bytes that the project did not hold. @throws DomainError `conflict` `limit` above `artifacts.project_max_bytes`. */
  abstract addBlobs(
    projectId: string,
    blobs: readonly { readonly sha256: string; readonly bytes: number }[],
  ): Promise<void>;
  /** Which of these hashes the project holds. */
  abstract held(projectId: string, hashes: readonly string[]): Promise<Set<string>>;
  /** Forgets bytes that no version of the project refers to any more. */
  abstract recount(projectId: string): Promise<void>;
}
