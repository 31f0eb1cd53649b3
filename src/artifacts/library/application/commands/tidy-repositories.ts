import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Database } from '#libs/persistence/database.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { RepositoryReconciler } from '../ports/repository-reconciler.js';
import { WriteLeases } from '../ports/write-leases.js';

const WEEK_MS = 7 * 86_400_000;

/** Every week: repositories that got a version since are brought in order and packed by git. */
@Injectable()
export class TidyRepositories {
  constructor(
    private readonly database: Database,
    private readonly leases: WriteLeases,
    private readonly reconciler: RepositoryReconciler,
    private readonly repositories: GitRepositories,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<number> {
    const changed = await this.database.query<{ id: string }>(
      `SELECT DISTINCT a.id FROM artifacts.artifact a JOIN artifacts.version v ON v.artifact_id = a.id
       WHERE v.created_at > $1 AND v.revision IS NOT NULL AND a.deleted_at IS NULL`,
      [new Date(this.clock.now().getTime() - WEEK_MS)],
    );
    for (const { id } of changed) {
      await this.leases.hold(id, async (lease) => {
        await this.reconciler.reconcile(id, lease);
        await this.repositories.tidy(id);
      });
    }
    return changed.length;
  }
}
