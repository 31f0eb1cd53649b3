import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AdministeredProjects } from '../administered-projects.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';
import { Memberships } from '../ports/memberships.js';
import { Projects } from '../ports/projects.js';
import { ownerStays } from './change-member-role.js';

/**
 * Ends a membership: somebody leaves, or is removed. From the commit on the person, their agents and bridges reach
 * nothing of the project; what they wrote stays.
 */
@Injectable()
export class RemoveMember {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly administered: AdministeredProjects,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `owner`, `not-found`, `forbidden` also for somebody who was removed a moment ago. */
  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly personId: string },
  ): Promise<void> {
    const leaves = personIdOf(actor) === input.personId && actor.kind === 'person';
    await this.access.require(actor, input.projectId, leaves ? 'read' : 'administer');
    await this.unitOfWork.run(async () => {
      const project = leaves
        ? await this.projects.find(input.projectId)
        : await this.administered.hold(actor, input.projectId);
      if (!project) throw notFound('Project');
      if (input.personId === project.state.ownerId) throw ownerStays();
      const member = isUuid(input.personId)
        ? await this.memberships.find(input.projectId, input.personId)
        : null;
      if (!member) throw notFound('Member');
      await this.memberships.remove(member.projectId, member.personId);
      await this.invitations.revokeAllBy(member.projectId, member.personId, this.clock.now());
      await this.news.removed(actor, member, leaves ? null : personIdOf(actor));
    });
  }
}
