import type { StoredVersion } from './version-store.js';
import type { HeldLease } from './write-leases.js';

/** Brings the repository of an artifact and its versions together after a crash between two steps of a write. */
export abstract class RepositoryReconciler {
  /**
   * `main` that is behind is moved to the latest revision; `main` that is ahead of it, as after a push, is stored as a
   * version; any other tip is kept under `refs/loupe/orphan/`. Cheap when nothing is wrong. The caller holds the lease.
   * @returns the version that was stored, or null.
   */
  abstract reconcile(artifactId: string, lease: HeldLease): Promise<StoredVersion | null>;
}
