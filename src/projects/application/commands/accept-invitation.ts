import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { levelOfRole, ProjectAccess, type ProjectRole } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { MEMBERS_MAX } from '../../domain/project-limits.js';
import { InvitationDoor, invitationGone } from '../invitation-door.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';
import { Memberships } from '../ports/memberships.js';
import { Projects } from '../ports/projects.js';
import { tooManyMembers } from './invite-member.js';

export interface AcceptedInvitation {
  readonly projectId: string;
  readonly role: ProjectRole;
  /** The role that the person had before stays. */
  readonly alreadyMember: boolean;
}

/** Takes a link and becomes a member. Of two people with one link the first gets it. */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly door: InvitationDoor,
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `invitation_gone`, `wrong_address`, `too_many`. */
  async execute(actor: Actor, input: { readonly token: string }): Promise<AcceptedInvitation> {
    const { invitation, personId } = await this.door.answerable(actor, input.token);
    const { projectId, role, createdBy } = invitation;
    return this.unitOfWork.run(async () => {
      const project = await this.projects.find(projectId);
      // An invitation is worth what its maker may do now.
      const inviter = await this.access.roleOf(createdBy, projectId);
      if (!project || inviter === null || levelOfRole(inviter) !== 'administer') throw invitationGone();
      const before = await this.access.roleOf(personId, projectId);
      if (before !== null) return { projectId, role: before, alreadyMember: true };
      if ((await this.memberships.count(projectId)) >= MEMBERS_MAX) throw tooManyMembers();
      const now = this.clock.now();
      if (!(await this.invitations.end(invitation.id, 'accepted', personId, now))) throw invitationGone();
      const membership = { projectId, personId, role, invitedBy: createdBy, joinedAt: now };
      await this.memberships.add(membership);
      await this.news.added(actor, membership);
      return { projectId, role, alreadyMember: false };
    });
  }
}
