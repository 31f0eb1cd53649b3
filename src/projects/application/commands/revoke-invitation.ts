import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AdministeredProjects } from '../administered-projects.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';

/** Ends an open invitation. One that has ended stays as it is, so a repeat is fine. */
@Injectable()
export class RevokeInvitation {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: AdministeredProjects,
    private readonly invitations: Invitations,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found`, `forbidden` also for somebody who lost the right a moment ago. */
  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly invitationId: string },
  ): Promise<void> {
    await this.access.require(actor, input.projectId, 'administer');
    await this.unitOfWork.run(async () => {
      await this.projects.hold(actor, input.projectId);
      const invitation = await this.invitations.find(input.projectId, input.invitationId);
      if (!invitation) throw notFound('Invitation');
      const ended = await this.invitations.end(invitation.id, 'revoked', personIdOf(actor), this.clock.now());
      if (ended) await this.news.invitation(actor, 'member.invitation_revoked', invitation);
    });
  }
}
