import { Injectable } from '@nestjs/common';
import { RepositoryReconciler } from './ports/repository-reconciler.js';
import { type StoredVersion, VersionStore, type VersionToStore } from './ports/version-store.js';
import { WriteLeases } from './ports/write-leases.js';
import { VersionWriter } from './version-writer.js';

/** Stores versions of artifacts, one writer at a time, on a repository that agrees with the database. */
@Injectable()
export class StoringVersions extends VersionStore {
  constructor(
    private readonly leases: WriteLeases,
    private readonly reconciler: RepositoryReconciler,
    private readonly writer: VersionWriter,
  ) {
    super();
  }

  override async store(version: VersionToStore): Promise<StoredVersion> {
    const { target } = version;
    if ('create' in target) return this.writer.write(version, null);
    return this.leases.hold(target.artifactId, async (lease) => {
      await this.reconciler.reconcile(target.artifactId, lease);
      return this.writer.write(version, lease);
    });
  }
}
