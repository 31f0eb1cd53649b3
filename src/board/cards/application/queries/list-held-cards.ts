import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { covers, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';

/** Cards that the workflow leaves alone, over all projects that the connection covers. */
@Injectable()
export class ListHeldCards {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
  ): Promise<{ readonly holds: readonly { readonly projectId: string; readonly cardId: string }[] }> {
    const personId = personIdOf(actor);
    if (personId === null) return { holds: [] };
    const projects = (await this.access.projectsOf(personId, 'contribute'))
      .map((project) => project.id)
      .filter((id) => covers(actor, id));
    const holds = await this.database.query<{ projectId: string; cardId: string }>(
      `SELECT project_id AS "projectId", card_id AS "cardId" FROM board.card_hold
        WHERE project_id = ANY($1::uuid[]) ORDER BY held_at`,
      [projects],
    );
    return { holds };
  }
}
