import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { conflict, forbidden, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { MEMBER_ROLES, type MemberRole, newInvitation } from '../../domain/invitation.js';
import { INVITATIONS_MAX, MEMBERS_MAX } from '../../domain/project-limits.js';
import { AdministeredProjects } from '../administered-projects.js';
import { InvitationLinks } from '../invitation-links.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';
import { Memberships } from '../ports/memberships.js';

export interface InviteMemberInput {
  readonly projectId: string;
  readonly role: string;
  /** Left out or empty: a link that the first who opens it may use. */
  readonly email?: string | null;
}

export interface IssuedInvitation {
  readonly id: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly expiresAt: Date;
  /** Stands in this answer and in the mail, and nowhere else. */
  readonly url: string;
}

/** Invites somebody into a project, by mail where there is an address and mail is on, by a link to copy in any case. */
@Injectable()
export class InviteMember {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: AdministeredProjects,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly people: PersonDirectory,
    private readonly links: InvitationLinks,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput; DomainError `already_member`, `too_many`. */
  async execute(actor: Actor, input: InviteMemberInput): Promise<IssuedInvitation> {
    await this.access.require(actor, input.projectId, 'administer');
    const createdBy = personIdOf(actor);
    if (createdBy === null) throw forbidden('Only a person may invite.');
    const problems = new Problems();
    const role = roleOf(problems, input.role);
    const email = input.email?.trim() ? emailAddress(problems, input.email) : null;
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      // Two invitations at once count each other.
      const project = await this.projects.hold(actor, input.projectId);
      if (email !== null) await this.refuseMember(project.state, email);
      if ((await this.invitations.countOpen(project.state.id, now)) >= INVITATIONS_MAX) {
        throw conflict(
          'too_many',
          `A project has at most ${INVITATIONS_MAX} open invitations. Revoke one that is no longer needed.`,
        );
      }
      if ((await this.memberships.count(project.state.id)) >= MEMBERS_MAX) throw tooManyMembers();
      const { invitation, token } = newInvitation(
        { id: this.ids.next(), projectId: project.state.id, role, email, createdBy },
        now,
      );
      await this.invitations.add(invitation);
      await this.links.send(invitation, token, project.state.name);
      await this.news.invitation(actor, 'member.invited', invitation);
      const { id, expiresAt } = invitation;
      return { id, role, email, expiresAt, url: this.links.url(token) };
    });
  }

  private async refuseMember(project: { id: string; ownerId: string }, email: string): Promise<void> {
    const person = await this.people.byVerifiedEmail(email);
    if (person && (person.id === project.ownerId || (await this.memberships.find(project.id, person.id)))) {
      throw conflict('already_member', `${person.displayName} works in this project already.`);
    }
  }
}

export function tooManyMembers() {
  return conflict('too_many', `A project has at most ${MEMBERS_MAX} members. Remove somebody first.`);
}

/** A role that can be given. What is wrong with it is added to `problems`. */
export function roleOf(problems: Problems, value: string): MemberRole {
  const role = MEMBER_ROLES.find((each) => each === value);
  if (!role) problems.add('role', `must be one of ${MEMBER_ROLES.join(', ')}`);
  return role ?? 'viewer';
}
