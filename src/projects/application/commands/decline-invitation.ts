import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { InvitationDoor, invitationGone } from '../invitation-door.js';
import { MemberNews } from '../member-news.js';
import { Invitations } from '../ports/invitations.js';

/** Says no to an invitation; its link ends. */
@Injectable()
export class DeclineInvitation {
  constructor(
    private readonly door: InvitationDoor,
    private readonly invitations: Invitations,
    private readonly news: MemberNews,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `invitation_gone`, `wrong_address`. */
  async execute(actor: Actor, input: { readonly token: string }): Promise<void> {
    const { invitation, personId } = await this.door.answerable(actor, input.token);
    await this.unitOfWork.run(async () => {
      if (!(await this.invitations.end(invitation.id, 'declined', personId, this.clock.now()))) {
        throw invitationGone();
      }
      await this.news.invitation(actor, 'member.invitation_declined', invitation);
    });
  }
}
