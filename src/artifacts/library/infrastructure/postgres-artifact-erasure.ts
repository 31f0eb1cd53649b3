import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Database } from '#libs/persistence/database.js';
import { ArtifactErasure } from '../application/ports/artifact-erasure.js';
import { GitRepositories } from '../application/ports/git-repositories.js';
import { Shelves } from '../application/ports/shelves.js';

@Injectable()
export class PostgresArtifactErasure extends ArtifactErasure {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly shelves: Shelves,
    private readonly repositories: GitRepositories,
  ) {
    super();
  }

  override async deletedBefore(before: Date, limit: number) {
    return this.database.query<{ artifactId: string; projectId: string }>(
      `SELECT id AS "artifactId", project_id AS "projectId" FROM artifacts.artifact
       WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2`,
      [before, limit],
    );
  }

  override async purgeArtifact(artifactId: string, deletedBefore: Date): Promise<boolean> {
    const [gone] = await this.database.query<{ projectId: string }>(
      'DELETE FROM artifacts.artifact WHERE id = $1 AND deleted_at < $2 RETURNING project_id AS "projectId"',
      [artifactId, deletedBefore],
    );
    if (!gone) return false;
    await this.shelves.recount(gone.projectId);
    this.removeRepositories([artifactId]);
    return true;
  }

  override async purgeProject(projectId: string): Promise<void> {
    const gone = await this.database.query<{ id: string }>(
      'DELETE FROM artifacts.artifact WHERE project_id = $1 RETURNING id',
      [projectId],
    );
    for (const table of ['workspace', 'project_blob', 'shelf', 'upload', 'push']) {
      await this.database.query(`DELETE FROM artifacts.${table} WHERE project_id = $1`, [projectId]);
    }
    this.removeRepositories(gone.map(({ id }) => id));
  }

  override async forgetPerson(personId: string): Promise<void> {
    for (const table of ['artifact', 'version', 'card_link']) {
      await this.database.query(`UPDATE artifacts.${table} SET created_by = NULL WHERE created_by = $1`, [
        personId,
      ]);
    }
    await this.database.query('DELETE FROM artifacts.pushed_tip WHERE maker = $1', [personId]);
  }

  /** After the commit: a repository without rows is a leftover, rows without a repository would be a loss. */
  private removeRepositories(artifactIds: readonly string[]): void {
    this.unitOfWork.afterCommit(async () => {
      for (const id of artifactIds) await this.repositories.remove(id);
    });
  }
}
