import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { DenyConnection } from '../../application/commands/deny-connection.js';
import { GrantConnection } from '../../application/commands/grant-connection.js';
import { LookUpDeviceCode } from '../../application/queries/look-up-device-code.js';
import { normalUserCode } from '../../domain/user-code.js';
import { formField, queryField } from './form-body.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { deviceAnswerPage, deviceCodePage, deviceDonePage } from './pages/device-pages.js';
import { PageFilter, statusOf } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';

/** The page on which a person connects a device by its code (`identity.md` 5.8). */
@Controller('oauth/device')
@UseFilters(PageFilter)
export class DeviceController {
  constructor(
    private readonly lookUp: LookUpDeviceCode,
    private readonly grant: GrantConnection,
    private readonly deny: DenyConnection,
    private readonly tokens: FormTokens,
    private readonly pages: PageSender,
  ) {}

  @Get()
  async show(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const typed = queryField(request, 'user_code') ?? '';
    const actor = this.signedIn(typed, request, response);
    if (!actor) return;
    if (typed === '') {
      this.pages.send(response, deviceCodePage({ csrf: this.tokens.issue(request, response) }));
      return;
    }
    await this.sendRequest(actor, typed, request, response);
  }

  @Post()
  async answer(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const typed = formField(request, 'user_code');
    const actor = this.signedIn(typed, request, response);
    if (!actor) return;
    const csrf = this.tokens.issue(request, response);
    if (!this.tokens.accepts(request)) {
      this.pages.send(response, deviceCodePage({ csrf, typed, errors: [FORM_OUT_OF_DATE], status: 403 }));
      return;
    }
    const answer = formField(request, 'answer');
    if (answer !== 'allow' && answer !== 'deny') {
      await this.sendRequest(actor, typed, request, response);
      return;
    }
    await this.orCodeAgain(request, response, typed, async () => {
      const clientName = await this.lookUp.answering(
        actor,
        async (reference) => {
          if (answer === 'allow') return (await this.grant.execute(actor, { reference })).clientName;
          await this.deny.execute(actor, { reference });
          return '';
        },
        typed,
      );
      this.pages.send(response, deviceDonePage(answer === 'allow', clientName));
    });
  }

  private async sendRequest(
    actor: PersonActor,
    typed: string,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    await this.orCodeAgain(request, response, typed, async () => {
      const described = await this.lookUp.execute(actor, { userCode: typed });
      const csrf = this.tokens.issue(request, response);
      this.pages.send(response, deviceAnswerPage({ csrf, userCode: normalUserCode(typed)!, described }));
    });
  }

  /** A code that cannot be used brings back the field with what was typed. */
  private async orCodeAgain(
    request: HttpRequest,
    response: HttpResponse,
    typed: string,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'code_refused') throw error;
      const csrf = this.tokens.issue(request, response);
      const errors = [{ field: 'user_code', sentence: error.message }];
      this.pages.send(response, deviceCodePage({ csrf, typed, errors, status: statusOf(error) }));
    }
  }

  private signedIn(typed: string, request: HttpRequest, response: HttpResponse): PersonActor | null {
    const person = request.loupe?.person;
    if (person) return person.actor;
    const query = typed ? `?user_code=${encodeURIComponent(typed.slice(0, 40))}` : '';
    this.pages.redirect(response, `/login?next=${encodeURIComponent(`/oauth/device${query}`)}`);
    return null;
  }
}
