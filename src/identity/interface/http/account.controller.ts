import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { ChangeAccount } from '../../application/commands/change-account.js';
import { ChangePassword } from '../../application/commands/change-password.js';
import { ConfirmPassword } from '../../application/commands/confirm-password.js';
import { DeleteOwnAccount } from '../../application/commands/delete-own-account.js';
import { EndOtherSessions } from '../../application/commands/end-other-sessions.js';
import { EndSession } from '../../application/commands/end-session.js';
import { RequestEmailChange } from '../../application/commands/request-email-change.js';
import { GetOwnAccount, type OwnAccount } from '../../application/queries/get-own-account.js';
import { ListOwnSessions, type OwnSession } from '../../application/queries/list-own-sessions.js';
import { ChangeAccountBody, EmailBody, PasswordBody } from './account.dto.js';
import { WebSessionCookie } from './web-session-cookie.js';

type AccountAnswer = Pick<
  OwnAccount,
  'id' | 'displayName' | 'email' | 'pendingEmail' | 'timezone' | 'preferences' | 'createdAt'
>;

/** One's own account (`identity.md` 7.2). */
@Controller('api/account')
@UseGuards(SessionGuard)
export class AccountController {
  constructor(
    private readonly account: GetOwnAccount,
    private readonly changeAccount: ChangeAccount,
    private readonly confirmPassword: ConfirmPassword,
    private readonly changePassword: ChangePassword,
    private readonly changeEmail: RequestEmailChange,
    private readonly deleteAccount: DeleteOwnAccount,
    private readonly sessions: ListOwnSessions,
    private readonly endSession: EndSession,
    private readonly endOtherSessions: EndOtherSessions,
    private readonly cookie: WebSessionCookie,
  ) {}

  @Get()
  async show(@CurrentActor() actor: PersonActor): Promise<AccountAnswer> {
    const { id, displayName, email, pendingEmail, timezone, preferences, createdAt } =
      await this.account.execute(actor);
    return { id, displayName, email, pendingEmail, timezone, preferences, createdAt };
  }

  @Patch()
  async change(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) body: ChangeAccountBody,
  ): Promise<AccountAnswer> {
    await this.changeAccount.execute(actor, body);
    return this.show(actor);
  }

  @Post('confirm')
  @HttpCode(204)
  async confirm(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { password }: PasswordBody,
    @Req() request: HttpRequest,
  ): Promise<void> {
    await this.confirmPassword.execute(actor, { password, ip: request.ip ?? null });
  }

  @Post('email')
  @HttpCode(202)
  async requestEmailChange(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { email }: EmailBody,
  ): Promise<void> {
    await this.changeEmail.execute(actor, { email });
  }

  @Post('delete')
  @HttpCode(202)
  async delete(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { email }: EmailBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.deleteAccount.execute(actor, { email });
    this.cookie.clear(response);
    response.set('Clear-Site-Data', '"storage"');
  }

  @Put('password')
  @HttpCode(204)
  async setPassword(
    @CurrentActor() actor: PersonActor,
    @Body(inputPipe) { password }: PasswordBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const opened = await this.changePassword.execute(actor, {
      password,
      browser: this.cookie.browserOf(request),
    });
    this.cookie.set(response, opened.cookie);
  }

  @Get('sessions')
  listSessions(@CurrentActor() actor: PersonActor): Promise<{ readonly sessions: OwnSession[] }> {
    return this.sessions.execute(actor);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async end(@CurrentActor() actor: PersonActor, @Param('id') sessionId: string): Promise<void> {
    await this.endSession.execute(actor, { sessionId });
  }

  @Post('sessions/end-others')
  @HttpCode(204)
  async endOthers(@CurrentActor() actor: PersonActor): Promise<void> {
    await this.endOtherSessions.execute(actor);
  }
}
