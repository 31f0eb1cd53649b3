/**
 * One writer of an artifact at a time, in all processes (`artifacts.md` 3.8). No connection of the database is held
 * while `work` runs, and the lease of a killed process runs out by itself.
 */
export abstract class WriteLeases {
  /**
   * Waits at most 10 s for the lease, then runs `work` under it. Not for use inside a unit of work.
   * @throws DomainError `conflict` `busy`.
   */
  abstract hold<T>(artifactId: string, work: (lease: HeldLease) => Promise<T>): Promise<T>;
}

export interface HeldLease {
  /**
   * For the transaction that stores what was done: fails when the lease ran out meanwhile, and keeps others from taking
   * it before the commit. @throws DomainError `conflict` `busy`.
   */
  requireHeld(): Promise<void>;
}
