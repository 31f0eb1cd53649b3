import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { levelOfRole, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { type MemberRole, stateAt } from '../../domain/invitation.js';
import { InvitationDoor, invitationGone } from '../invitation-door.js';

export interface InvitationOffer {
  readonly projectName: string;
  readonly role: MemberRole;
  readonly invitedBy: string;
  /** Null for a link without an address. */
  readonly email: string | null;
  readonly state: 'open';
}

/** What an invitation offers, for whoever holds its link: the name of the project and nothing else of it. */
@Injectable()
export class GetInvitation {
  constructor(
    private readonly door: InvitationDoor,
    private readonly access: ProjectAccess,
    private readonly people: PersonDirectory,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The address that the invitation at a path of the app is for; null for links without one and for what has ended. */
  async addressAt(path: string): Promise<string | null> {
    const token = /^\/invitations\/([\w-]{43})$/.exec(path)?.[1];
    if (!token) return null;
    try {
      return (await this.execute({ token })).email;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  /** @throws DomainError `invitation_gone` for everything that can no longer be accepted. */
  async execute(input: { readonly token: string }): Promise<InvitationOffer> {
    const invitation = await this.door.find(input.token);
    if (stateAt(invitation, this.clock.now()) !== 'open') throw invitationGone();
    const [project, inviter, names] = await Promise.all([
      this.database.one<{ name: string }>(
        'SELECT name FROM projects.projects WHERE id = $1 AND deleted_at IS NULL',
        [invitation.projectId],
      ),
      this.access.roleOf(invitation.createdBy, invitation.projectId),
      this.people.names([invitation.createdBy]),
    ]);
    if (!project || inviter === null || levelOfRole(inviter) !== 'administer') throw invitationGone();
    return {
      projectName: project.name,
      role: invitation.role,
      invitedBy: names.get(invitation.createdBy)!,
      email: invitation.email,
      state: 'open',
    };
  }
}
