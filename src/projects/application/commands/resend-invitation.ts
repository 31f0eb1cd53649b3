import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { renewed } from '../../domain/invitation.js';
import { AdministeredProjects } from '../administered-projects.js';
import { InvitationLinks } from '../invitation-links.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';
import type { IssuedInvitation } from './invite-member.js';

/** Gives an open invitation another link and its full time, and sends it again; the link before no longer works. */
@Injectable()
export class ResendInvitation {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: AdministeredProjects,
    private readonly invitations: Invitations,
    private readonly links: InvitationLinks,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found`; `ended` for one that was used, declined or revoked. */
  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly invitationId: string },
  ): Promise<IssuedInvitation> {
    await this.access.require(actor, input.projectId, 'administer');
    return this.unitOfWork.run(async () => {
      const project = await this.projects.hold(actor, input.projectId);
      const found = await this.invitations.find(input.projectId, input.invitationId);
      if (!found) throw notFound('Invitation');
      if (found.state !== 'open') throw conflict('ended', 'This invitation has ended. Make a new one.');
      const { invitation, token } = renewed(found, this.clock.now());
      await this.invitations.renew(invitation);
      await this.links.send(invitation, token, project.state.name);
      await this.news.invitation(actor, 'member.invited', invitation);
      const { id, role, email, expiresAt } = invitation;
      return { id, role, email, expiresAt, url: this.links.url(token) };
    });
  }
}
