/** Absolute addresses of artifacts on this instance. */
export abstract class ArtifactAddresses {
  /** The page of the library about one artifact. */
  abstract page(projectId: string, artifactId: string): string;
  abstract playground(projectId: string, artifactId: string): string;
  /** `version` pins one. */
  abstract preview(artifactId: string, version?: number): string;
}
