import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { DenyConnection } from '../../application/commands/deny-connection.js';
import { GrantConnection } from '../../application/commands/grant-connection.js';
import type { RequestReference } from '../../application/ports/authorization-requests.js';
import { DescribeRequest } from '../../application/queries/describe-request.js';
import { formField, queryField } from './form-body.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { consentPage } from './pages/consent-page.js';
import { PageFilter } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';
import type { FieldError } from './pages/parts.js';

interface Again {
  readonly status: number;
  readonly error: FieldError;
}

/** The page on which a person allows or denies an app (`identity.md` 5.6). */
@Controller('oauth/consent/:uid')
@UseFilters(PageFilter)
export class ConsentController {
  constructor(
    private readonly describe: DescribeRequest,
    private readonly grant: GrantConnection,
    private readonly deny: DenyConnection,
    private readonly tokens: FormTokens,
    private readonly pages: PageSender,
  ) {}

  @Get()
  async show(
    @Param('uid') uid: string,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const actor = this.signedIn(uid, request, response);
    if (actor) await this.send(uid, actor, request, response);
  }

  @Post()
  async answer(
    @Param('uid') uid: string,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const actor = this.signedIn(uid, request, response);
    if (!actor) return;
    if (!this.tokens.accepts(request)) {
      await this.send(uid, actor, request, response, { status: 403, error: FORM_OUT_OF_DATE });
      return;
    }
    const reference = referenceOf(uid, request);
    const answer = formField(request, 'answer');
    if (answer !== 'allow' && answer !== 'deny') {
      await this.send(uid, actor, request, response);
      return;
    }
    if (answer === 'deny') {
      const { location } = await this.deny.execute(actor, { reference });
      this.pages.redirect(response, location ?? '/');
      return;
    }
    try {
      const projectId = formField(request, 'project') || undefined;
      const { location } = await this.grant.execute(actor, { reference, projectId });
      this.pages.redirect(response, location ?? '/');
    } catch (error) {
      if (!(error instanceof DomainError) || error.detail.argument !== 'project') throw error;
      const again = { status: 422, error: { field: 'project', sentence: error.message } };
      await this.send(uid, actor, request, response, again);
    }
  }

  private async send(
    uid: string,
    actor: PersonActor,
    request: HttpRequest,
    response: HttpResponse,
    again?: Again,
  ): Promise<void> {
    const described = await this.describe.execute(actor, {
      reference: referenceOf(uid, request),
      filter: queryField(request, 'q') ?? undefined,
      page: Number.parseInt(queryField(request, 'page') ?? '1', 10) || 1,
    });
    this.pages.send(
      response,
      consentPage({
        uid,
        csrf: this.tokens.issue(request, response),
        described,
        chosen: formField(request, 'project') || undefined,
        errors: again ? [again.error] : [],
        status: again?.status,
      }),
    );
  }

  private signedIn(uid: string, request: HttpRequest, response: HttpResponse): PersonActor | null {
    const person = request.loupe?.person;
    if (person) return person.actor;
    const next = `/oauth/consent/${encodeURIComponent(uid)}`;
    this.pages.redirect(response, `/login?next=${encodeURIComponent(next)}`);
    return null;
  }
}

function referenceOf(uid: string, request: HttpRequest): RequestReference {
  return { kind: 'consent', uid, cookies: request.headers.cookie ?? '' };
}
