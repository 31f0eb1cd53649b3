/** What goes for good. Writes run in the transaction of the caller; repositories go after its commit. */
export abstract class ArtifactErasure {
  /** Artifacts that were deleted before then, oldest first. */
  abstract deletedBefore(
    before: Date,
    limit: number,
  ): Promise<{ readonly artifactId: string; readonly projectId: string }[]>;
  /** False when it was brought back meanwhile. */
  abstract purgeArtifact(artifactId: string, deletedBefore: Date): Promise<boolean>;
  abstract purgeProject(projectId: string): Promise<void>;
  /** What a person made in projects of others stays, without a name. */
  abstract forgetPerson(personId: string): Promise<void>;
}
