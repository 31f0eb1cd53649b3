/** Repositories packed into the blob store, so that a lost folder can be restored. */
export abstract class RepositoryBundles {
  /** Packs the repository as it is now; nothing when the last pack has the same tip. */
  abstract store(artifactId: string): Promise<void>;
  /** Makes the repository anew from the last pack. False when there is none. */
  abstract restore(artifactId: string): Promise<boolean>;
}
