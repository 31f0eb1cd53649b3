import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { type Invitation, type MemberRole } from '../domain/invitation.js';
import { INVITATION_DAYS } from '../domain/project-limits.js';

/** What a role may do, in the words of mails and pages. */
const WORDS: Record<MemberRole, string> = {
  maintainer: 'a maintainer, who may change everything but the owner',
  member: 'a member, who reads and contributes',
  viewer: 'a viewer, who reads',
};

/** Links of invitations, and the mail that carries one. */
@Injectable()
export class InvitationLinks {
  constructor(
    private readonly configuration: Configuration,
    private readonly mailer: Mailer,
    private readonly people: PersonDirectory,
  ) {}

  url(token: string): string {
    return this.configuration.url(`/invitations/${token}`);
  }

  /** Sends the link where the invitation has an address and mail is on; written with the running transaction. */
  async send(invitation: Invitation, token: string, projectName: string): Promise<void> {
    if (invitation.email === null || !this.mailer.isOn) return;
    const inviter = (await this.people.names([invitation.createdBy])).get(invitation.createdBy);
    await this.mailer.send({
      key: `project-invitation ${invitation.tokenHash.slice(0, 32)}`,
      to: invitation.email,
      subject: `${inviter} invites you to ${projectName} in Loupe`,
      paragraphs: [
        'Hello,',
        `${inviter} invites you to the project ${projectName} as ${WORDS[invitation.role]}. The link is good for ${INVITATION_DAYS} days and for this address alone.`,
      ],
      action: { label: 'Look at the invitation', url: this.url(token) },
      footnote: 'If you expect no invitation, do nothing.',
    });
  }
}
