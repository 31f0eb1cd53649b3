/** Finds and removes bytes that nothing refers to, and looks whether those that are kept are whole. */
export abstract class BlobCollection {
  /** Removes what was brought before then and nothing refers to. @returns how many, at most `limit`. */
  abstract collect(before: Date, limit: number): Promise<number>;
  /** Reads so many blobs by chance and compares them with their hash. @returns the damaged ones. */
  abstract check(count: number): Promise<string[]>;
}
