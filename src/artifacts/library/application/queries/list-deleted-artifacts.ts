import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { UNDELETE_DAYS } from '../../domain/artifact.js';
import type { ArtifactType } from '../../domain/artifact-types.js';
import { purgeTime } from '../commands/delete-artifact.js';

const MOST = 200;

export interface DeletedRow {
  readonly artifactId: string;
  readonly name: string;
  readonly artifactType: ArtifactType;
  readonly deletedAt: Date;
  readonly purgeAt: Date;
}

/** What can still be brought back, latest first, for those who may. */
@Injectable()
export class ListDeletedArtifacts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string },
  ): Promise<{ readonly artifacts: readonly DeletedRow[] }> {
    await this.access.require(actor, input.projectId, 'administer');
    const since = new Date(this.clock.now().getTime() - UNDELETE_DAYS * 86_400_000);
    const rows = await this.database.query<Omit<DeletedRow, 'purgeAt'>>(
      `SELECT id AS "artifactId", name, artifact_type AS "artifactType", deleted_at AS "deletedAt"
       FROM artifacts.artifact WHERE project_id = $1 AND deleted_at > $2 ORDER BY deleted_at DESC, id LIMIT ${MOST}`,
      [input.projectId, since],
    );
    return { artifacts: rows.map((row) => ({ ...row, purgeAt: purgeTime(row.deletedAt) })) };
  }
}
