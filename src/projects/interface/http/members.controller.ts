import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ChangeMemberRole } from '../../application/commands/change-member-role.js';
import { InviteMember, type IssuedInvitation } from '../../application/commands/invite-member.js';
import { RemoveMember } from '../../application/commands/remove-member.js';
import { ResendInvitation } from '../../application/commands/resend-invitation.js';
import { RevokeInvitation } from '../../application/commands/revoke-invitation.js';
import { TransferProject } from '../../application/commands/transfer-project.js';
import { GetProject, type ProjectDetails } from '../../application/queries/get-project.js';
import { type InvitationView, ListInvitations } from '../../application/queries/list-invitations.js';
import { ListMembers, type MemberList, type MemberView } from '../../application/queries/list-members.js';
import { ChangeRoleBody, InviteBody, TransferBody } from './members.dto.js';

/** The people of a project (`platform.md` 3.7, 3.8). */
@Controller('api/projects/:projectId')
@UseGuards(SessionGuard)
export class MembersController {
  constructor(
    private readonly listMembers: ListMembers,
    private readonly changeRole: ChangeMemberRole,
    private readonly removeMember: RemoveMember,
    private readonly listInvitations: ListInvitations,
    private readonly inviteMember: InviteMember,
    private readonly resendInvitation: ResendInvitation,
    private readonly revokeInvitation: RevokeInvitation,
    private readonly transferProject: TransferProject,
    private readonly getProject: GetProject,
  ) {}

  @Get('members')
  members(@CurrentActor() actor: Actor, @Param('projectId') projectId: string): Promise<MemberList> {
    return this.listMembers.execute(actor, projectId);
  }

  @Patch('members/:personId')
  async change(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('personId') personId: string,
    @Body(inputPipe) body: ChangeRoleBody,
  ): Promise<MemberView> {
    await this.changeRole.execute(actor, { projectId, personId, role: body.role, version: body.version });
    const { members } = await this.listMembers.execute(actor, projectId);
    return members.find((member) => member.personId === personId)!;
  }

  @Delete('members/:personId')
  @HttpCode(204)
  async remove(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('personId') personId: string,
  ): Promise<void> {
    await this.removeMember.execute(actor, { projectId, personId });
  }

  @Get('invitations')
  invitations(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
  ): Promise<{ invitations: InvitationView[]; mailIsOn: boolean }> {
    return this.listInvitations.execute(actor, projectId);
  }

  @Post('invitations')
  invite(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: InviteBody,
  ): Promise<IssuedInvitation> {
    return this.inviteMember.execute(actor, { projectId, role: body.role, email: body.email });
  }

  @Post('invitations/:id/resend')
  @HttpCode(200)
  resend(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('id') invitationId: string,
  ): Promise<IssuedInvitation> {
    return this.resendInvitation.execute(actor, { projectId, invitationId });
  }

  @Delete('invitations/:id')
  @HttpCode(204)
  async revoke(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Param('id') invitationId: string,
  ): Promise<void> {
    await this.revokeInvitation.execute(actor, { projectId, invitationId });
  }

  @Post('transfer')
  @HttpCode(200)
  async transfer(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: TransferBody,
  ): Promise<ProjectDetails> {
    await this.transferProject.execute(actor, { projectId, personId: body.personId });
    return this.getProject.execute(actor, projectId);
  }
}
