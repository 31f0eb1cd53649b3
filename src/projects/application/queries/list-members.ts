import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { includesLevel, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonContacts } from '#src/identity/application/ports/person-contacts.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { MemberRole } from '../../domain/invitation.js';

export interface MemberView {
  readonly personId: string;
  readonly displayName: string;
  /** Null for those who may not administer the project. */
  readonly email: string | null;
  readonly role: MemberRole;
  readonly joinedAt: Date;
  /** Sent back with a change. */
  readonly version: number;
  readonly you: boolean;
}

export interface MemberList {
  readonly owner: Pick<MemberView, 'personId' | 'displayName' | 'email' | 'you'>;
  readonly members: readonly MemberView[];
}

/** The owner, and the members by name. */
@Injectable()
export class ListMembers {
  constructor(
    private readonly access: ProjectAccess,
    private readonly people: PersonDirectory,
    private readonly contacts: PersonContacts,
    private readonly database: Database,
  ) {}

  /** @throws DomainError `not-found`. */
  async execute(actor: Actor, projectId: string): Promise<MemberList> {
    await this.access.require(actor, projectId, 'read');
    const level = await this.access.levelOf(actor, projectId);
    const [project, rows] = await Promise.all([
      this.database.one<{ ownerId: string }>(
        'SELECT owner_id AS "ownerId" FROM projects.projects WHERE id = $1 AND deleted_at IS NULL',
        [projectId],
      ),
      this.database.query<Omit<MemberView, 'displayName' | 'email' | 'you'>>(
        `SELECT person_id AS "personId", role, joined_at AS "joinedAt", version
           FROM projects.memberships WHERE project_id = $1`,
        [projectId],
      ),
    ]);
    if (!project) throw notFound('Project');
    const ids = [project.ownerId, ...rows.map(({ personId }) => personId)];
    const [names, emails] = await Promise.all([
      this.people.names(ids),
      level !== null && includesLevel(level, 'administer')
        ? this.contacts.emails(ids)
        : new Map<string, string>(),
    ]);
    const self = personIdOf(actor);
    const facts = (personId: string) => ({
      displayName: names.get(personId)!,
      email: emails.get(personId) ?? null,
      you: personId === self,
    });
    return {
      owner: { personId: project.ownerId, ...facts(project.ownerId) },
      members: rows
        .map((row) => ({ ...row, ...facts(row.personId) }))
        .sort((a, b) => a.displayName.localeCompare(b.displayName) || (a.personId < b.personId ? -1 : 1)),
    };
  }
}
