import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { CreatePerson } from '../../application/commands/create-person.js';
import { DeletePerson } from '../../application/commands/delete-person.js';
import { DemotePerson } from '../../application/commands/demote-person.js';
import { EndSessionOfPerson } from '../../application/commands/end-session-of-person.js';
import { ForceVerifyPerson } from '../../application/commands/force-verify-person.js';
import { InvitePerson } from '../../application/commands/invite-person.js';
import { IssueResetLink } from '../../application/commands/issue-reset-link.js';
import { PromotePerson } from '../../application/commands/promote-person.js';
import { ReinstatePerson } from '../../application/commands/reinstate-person.js';
import { RevokeAnyConnection } from '../../application/commands/revoke-any-connection.js';
import { SuspendPerson } from '../../application/commands/suspend-person.js';
import { GetPerson, type PersonDetails } from '../../application/queries/get-person.js';
import { ListPeople, type PeoplePage } from '../../application/queries/list-people.js';
import {
  CreatePersonBody,
  InvitePersonBody,
  ListPeopleQuery,
  SuspendPersonBody,
} from './admin-people.dto.js';

interface LinkAnswer {
  /** Shown once, to be copied; it stands in no list. */
  readonly link: string;
  readonly expiresAt: Date;
  /** Whether it went out by mail too. */
  readonly sent: boolean;
}

/** People, for admins (`identity.md` 7.2, `platform.md` 6). */
@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminPeopleController {
  constructor(
    private readonly people: ListPeople,
    private readonly person: GetPerson,
    private readonly create: CreatePerson,
    private readonly invite: InvitePerson,
    private readonly suspend: SuspendPerson,
    private readonly reinstate: ReinstatePerson,
    private readonly verify: ForceVerifyPerson,
    private readonly promote: PromotePerson,
    private readonly demote: DemotePerson,
    private readonly resetLink: IssueResetLink,
    private readonly remove: DeletePerson,
    private readonly endSession: EndSessionOfPerson,
    private readonly revoke: RevokeAnyConnection,
    private readonly mailer: Mailer,
  ) {}

  @Get('people')
  async list(
    @CurrentActor() actor: PersonActor,
    @Query(inputPipe) query: ListPeopleQuery,
  ): Promise<PeoplePage & { readonly mail: boolean }> {
    return { ...(await this.people.execute(actor, query)), mail: this.mailer.isOn };
  }

  @Get('people/:id')
  show(@CurrentActor() actor: PersonActor, @Param('id') personId: string): Promise<PersonDetails> {
    return this.person.execute(actor, { personId });
  }

  @Post('people')
  createPerson(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { email, displayName, send = false }: CreatePersonBody,
  ): Promise<LinkAnswer & { readonly id: string }> {
    return this.create.execute(actor, { email, displayName, send });
  }

  @Post('invites')
  invitePerson(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { email, send = false }: InvitePersonBody,
  ): Promise<LinkAnswer> {
    return this.invite.execute(actor, { email, send });
  }

  @Post('people/:id/suspend')
  @HttpCode(200)
  async suspendPerson(
    @CurrentActor() actor: PersonActor,
    @Param('id') id: string,
    @Body(inputPipe) { reason }: SuspendPersonBody,
  ): Promise<PersonDetails> {
    await this.suspend.execute(actor, { personId: known(id), reason });
    return this.show(actor, id);
  }

  @Post('people/:id/reinstate')
  @HttpCode(200)
  async reinstatePerson(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<PersonDetails> {
    await this.reinstate.execute(actor, { personId: known(id) });
    return this.show(actor, id);
  }

  @Post('people/:id/verify')
  @HttpCode(200)
  async verifyPerson(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<PersonDetails> {
    await this.verify.execute(actor, { personId: known(id) });
    return this.show(actor, id);
  }

  @Post('people/:id/promote')
  @HttpCode(200)
  async promotePerson(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<PersonDetails> {
    await this.promote.execute(actor, { personId: known(id) });
    return this.show(actor, id);
  }

  /** Whoever demotes themself is signed out with it, so the answer holds nothing. */
  @Post('people/:id/demote')
  @HttpCode(200)
  async demotePerson(
    @CurrentActor() actor: PersonActor,
    @Param('id') id: string,
  ): Promise<PersonDetails | { readonly id: string }> {
    await this.demote.execute(actor, { personId: known(id) });
    return id === actor.personId ? { id } : this.show(actor, id);
  }

  @Post('people/:id/reset-link')
  @HttpCode(200)
  issueResetLink(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<LinkAnswer> {
    return this.resetLink.execute(actor, { personId: known(id) });
  }

  @Post('people/:id/delete')
  @HttpCode(202)
  async deletePerson(@CurrentActor() actor: PersonActor, @Param('id') id: string): Promise<void> {
    await this.remove.execute(actor, { personId: known(id) });
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async endOneSession(@CurrentActor() actor: PersonActor, @Param('id') sessionId: string): Promise<void> {
    await this.endSession.execute(actor, { sessionId });
  }

  @Delete('connections/:id')
  @HttpCode(204)
  async revokeConnection(
    @CurrentActor() actor: PersonActor,
    @Param('id') connectionId: string,
  ): Promise<void> {
    await this.revoke.execute(actor, { connectionId });
  }
}

function known(id: string): string {
  if (!isUuid(id)) throw notFound('Person');
  return id;
}
