/** Addresses of the pages of an artifact on this instance. */
export abstract class ArtifactAddresses {
  abstract page(projectId: string, artifactId: string): string;
  abstract playground(projectId: string, artifactId: string): string;
  abstract preview(artifactId: string): string;
}
