import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { type AcceptedInvitation, AcceptInvitation } from '../../application/commands/accept-invitation.js';
import { DeclineInvitation } from '../../application/commands/decline-invitation.js';
import { GetInvitation, type InvitationOffer } from '../../application/queries/get-invitation.js';

/** Invitations as those see them who hold a link (`platform.md` 3.7). */
@Controller('api/invitations/:token')
@UseGuards(SessionGuard)
export class InvitationsController {
  constructor(
    private readonly getInvitation: GetInvitation,
    private readonly acceptInvitation: AcceptInvitation,
    private readonly declineInvitation: DeclineInvitation,
  ) {}

  @Get()
  offer(@Param('token') token: string): Promise<InvitationOffer> {
    return this.getInvitation.execute({ token });
  }

  @Post('accept')
  @HttpCode(200)
  accept(@CurrentActor() actor: Actor, @Param('token') token: string): Promise<AcceptedInvitation> {
    return this.acceptInvitation.execute(actor, { token });
  }

  @Post('decline')
  @HttpCode(204)
  async decline(@CurrentActor() actor: Actor, @Param('token') token: string): Promise<void> {
    await this.declineInvitation.execute(actor, { token });
  }
}
