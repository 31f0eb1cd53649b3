import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import {
  type AccessLevel,
  covers,
  includesLevel,
  levelOfRole,
  ProjectAccess,
  type ProjectRole,
  type ProjectSummary,
} from '#libs/kernel/ports/project-access.js';
import { onceARequest } from '#libs/kernel/request-memo.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';

/** Answers from the rows of projects and memberships; identity says whether the person is active. */
@Injectable()
export class SqlProjectAccess extends ProjectAccess {
  constructor(
    private readonly database: Database,
    private readonly people: PersonDirectory,
  ) {
    super();
  }

  override async can(actor: Actor, projectId: string, level: AccessLevel): Promise<boolean> {
    if (actor.kind === 'system' || actor.kind === 'console') return true;
    const has = await this.levelOf(actor, projectId);
    return has !== null && includesLevel(has, level);
  }

  override async levelOf(actor: Actor, projectId: string): Promise<AccessLevel | null> {
    if (actor.kind === 'system' || actor.kind === 'console') return 'administer';
    if (!covers(actor, projectId)) return null;
    const role = await this.roleOf(actor.personId, projectId);
    return role === null ? null : levelOfRole(role);
  }

  override async roleOf(personId: string, projectId: string): Promise<ProjectRole | null> {
    if (!isUuid(projectId) || !isUuid(personId)) return null;
    return onceARequest(`role ${personId} ${projectId}`, () => this.readRole(personId, projectId));
  }

  override async projectsOf(personId: string, level: AccessLevel): Promise<ProjectSummary[]> {
    if (!isUuid(personId) || !(await this.people.isActive(personId))) return [];
    const rows = await this.database.query<ProjectSummary>(
      `SELECT p.id, p.slug, p.name, p.owner_id AS "ownerId",
              CASE WHEN p.owner_id = $1 THEN 'owner' ELSE m.role END AS role
         FROM projects.projects p
         LEFT JOIN projects.memberships m ON m.project_id = p.id AND m.person_id = $1
        WHERE p.deleted_at IS NULL AND (p.owner_id = $1 OR m.person_id IS NOT NULL)
        ORDER BY p.owner_id <> $1, lower(p.name), p.id`,
      [personId],
    );
    return rows.filter((row) => includesLevel(levelOfRole(row.role), level));
  }

  private async readRole(personId: string, projectId: string): Promise<ProjectRole | null> {
    const [[row], active] = await Promise.all([
      this.database.hot<{ role: ProjectRole }>(
        `SELECT CASE WHEN p.owner_id = $2 THEN 'owner' ELSE m.role END AS role
           FROM projects.projects p
           LEFT JOIN projects.memberships m ON m.project_id = p.id AND m.person_id = $2
          WHERE p.id = $1 AND p.deleted_at IS NULL AND (p.owner_id = $2 OR m.person_id IS NOT NULL)`,
        [projectId, personId],
      ),
      this.people.isActive(personId),
    ]);
    return row && active ? row.role : null;
  }
}
