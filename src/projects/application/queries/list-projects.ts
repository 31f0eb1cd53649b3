import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import type { ProjectRole } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { ProjectCounts } from '../ports/project-hooks.js';
import { CountForProjects } from './count-for-projects.js';

/** A tile of the list of projects. */
export interface ProjectTile {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly role: ProjectRole;
  readonly ownerName: string;
  readonly counts: ProjectCounts;
  readonly lastActivityAt: Date;
}

interface Row extends Omit<ProjectTile, 'ownerName' | 'counts' | 'lastActivityAt'> {
  readonly ownerId: string;
  readonly updatedAt: Date;
}

/** Own and shared projects of a person, newest activity first. */
@Injectable()
export class ListProjects {
  constructor(
    private readonly database: Database,
    private readonly people: PersonDirectory,
    private readonly counting: CountForProjects,
  ) {}

  async execute(actor: Actor): Promise<ProjectTile[]> {
    const personId = personIdOf(actor);
    if (personId === null) return [];
    const rows = await this.database.query<Row>(
      `SELECT p.id, p.slug, p.name, p.description, p.owner_id AS "ownerId", p.updated_at AS "updatedAt",
              CASE WHEN p.owner_id = $1 THEN 'owner' ELSE m.role END AS role
         FROM projects.projects p
         LEFT JOIN projects.memberships m ON m.project_id = p.id AND m.person_id = $1
        WHERE p.deleted_at IS NULL AND (p.owner_id = $1 OR m.person_id IS NOT NULL)`,
      [personId],
    );
    const [names, counted] = await Promise.all([
      this.people.names([...new Set(rows.map((row) => row.ownerId))]),
      this.counting.execute(rows.map((row) => row.id)),
    ]);
    return rows
      .map(({ ownerId, updatedAt, ...row }) => {
        const { counts, lastActivityAt } = counted.get(row.id)!;
        return {
          ...row,
          ownerName: names.get(ownerId)!,
          counts,
          lastActivityAt: lastActivityAt !== null && lastActivityAt > updatedAt ? lastActivityAt : updatedAt,
        };
      })
      .sort((a, b) => b.lastActivityAt.getTime() - a.lastActivityAt.getTime());
  }
}
