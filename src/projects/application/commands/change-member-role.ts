import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AdministeredProjects } from '../administered-projects.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';
import { Memberships, type StoredMembership } from '../ports/memberships.js';
import { roleOf } from './invite-member.js';

export interface ChangeMemberRoleInput {
  readonly projectId: string;
  readonly personId: string;
  readonly role: string;
  /** The version that the page showed. */
  readonly version: number;
}

/** Gives a member another role. What the person's agents and bridges may do follows at once. */
@Injectable()
export class ChangeMemberRole {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: AdministeredProjects,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws InvalidInput; DomainError `owner`, `stale` with the membership as it is now, `not-found`, `forbidden` also for
   *   somebody who lost the right a moment ago.
   */
  async execute(actor: Actor, input: ChangeMemberRoleInput): Promise<StoredMembership> {
    await this.access.require(actor, input.projectId, 'administer');
    const problems = new Problems();
    const role = roleOf(problems, input.role);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const project = await this.projects.hold(actor, input.projectId);
      if (input.personId === project.state.ownerId) throw ownerStays();
      const member = isUuid(input.personId)
        ? await this.memberships.find(input.projectId, input.personId)
        : null;
      if (!member) throw notFound('Member');
      if (member.version !== input.version) {
        throw conflict('stale', 'Somebody changed this role meanwhile. Look at it and choose again.', {
          current: member,
        });
      }
      if (member.role === role) return member;
      await this.memberships.changeRole(member.projectId, member.personId, role);
      if (role !== 'maintainer') {
        await this.invitations.revokeAllBy(member.projectId, member.personId, this.clock.now());
      }
      await this.news.roleChanged(actor, { ...member, role }, member.role);
      return { ...member, role, version: member.version + 1 };
    });
  }
}

export function ownerStays() {
  return conflict('owner', 'The owner keeps the project until it is transferred to somebody else.');
}
