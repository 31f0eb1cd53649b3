/** A blob that is gone, or holds other bytes than it should. */
export interface DamagedBlob {
  /** Key in the blob store. */
  readonly key: string;
  /** Artifacts with a version that needs it; at most ten. */
  readonly artifactIds: readonly string[];
}

/** Finds and removes bytes that nothing refers to, and looks whether those that are kept are whole. */
export abstract class BlobCollection {
  /** Removes what was brought before then and nothing refers to. @returns how many, at most `limit`. */
  abstract collect(before: Date, limit: number): Promise<number>;
  /** Reads so many blobs by chance and compares them with their hash. @returns the damaged ones. */
  abstract check(count: number): Promise<string[]>;
  /** How many blobs there are. */
  abstract count(): Promise<number>;
  /** Who misses these blobs. */
  abstract missedBy(hashes: readonly string[]): Promise<DamagedBlob[]>;
  /** Keys of packed repositories that the blob store lacks. */
  abstract missingBundles(): Promise<string[]>;
}
