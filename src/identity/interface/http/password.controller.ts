import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { RequestPasswordReset } from '../../application/commands/request-password-reset.js';
import { PASSWORD_LINKS, ResetPassword } from '../../application/commands/reset-password.js';
import { LookUpLink } from '../../application/queries/look-up-link.js';
import { WhereAfterSignIn } from '../../application/queries/where-after-sign-in.js';
import { SignInWays } from '../../application/sign-in-ways.js';
import { VISITOR } from '../../application/visitor.js';
import { formField, queryField } from './form-body.js';
import { formErrors } from './form-errors.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { PageFilter } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';
import type { FieldError } from './pages/parts.js';
import {
  forgotPage,
  forgotSentPage,
  noMailPage,
  type ResetPageContent,
  resetPage,
} from './pages/password-pages.js';
import { linkGonePage } from './pages/registration-pages.js';
import { steadyAnswer } from './steady-answer.js';
import { WebSessionCookie } from './web-session-cookie.js';

/** A new password by a link (`identity.md` 4.4). */
@Controller()
@UseFilters(PageFilter)
export class PasswordController {
  constructor(
    private readonly request: RequestPasswordReset,
    private readonly reset: ResetPassword,
    private readonly lookUp: LookUpLink,
    private readonly whereAfterSignIn: WhereAfterSignIn,
    private readonly mailer: Mailer,
    private readonly ways: SignInWays,
    private readonly tokens: FormTokens,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
  ) {}

  @Get('forgot-password')
  showForgot(@Req() request: HttpRequest, @Res() response: HttpResponse): void {
    this.ways.requirePassword();
    const page = this.mailer.isOn ? forgotPage({ csrf: this.tokens.issue(request, response) }) : noMailPage();
    this.pages.send(response, page);
  }

  @Post('forgot-password')
  async askForLink(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    this.ways.requirePassword();
    if (!this.mailer.isOn) return this.pages.send(response, noMailPage());
    const email = formField(request, 'email');
    const again = (status: number, errors: readonly FieldError[]): void => {
      const csrf = this.tokens.issue(request, response);
      this.pages.send(response, forgotPage({ csrf, email, errors, status }));
    };
    if (!this.tokens.accepts(request)) return again(403, [FORM_OUT_OF_DATE]);
    try {
      await steadyAnswer(this.request.execute(VISITOR, { email, ip: request.ip ?? null }));
      this.pages.send(response, forgotSentPage(email.trim()));
    } catch (error) {
      const { status, errors } = formErrors(error, response);
      again(status, errors);
    }
  }

  @Get('reset-password')
  async showReset(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    this.ways.requirePassword();
    await this.form(request, response, queryField(request, 'token') ?? '', {});
  }

  @Post('reset-password')
  async setPassword(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    this.ways.requirePassword();
    const token = formField(request, 'token');
    if (!this.tokens.accepts(request)) {
      return this.form(request, response, token, { status: 403, errors: [FORM_OUT_OF_DATE] });
    }
    try {
      const { session, first } = await this.reset.execute(VISITOR, {
        token,
        password: formField(request, 'password'),
        browser: this.cookie.browserOf(request),
        previous: request.loupe?.person?.actor,
      });
      this.cookie.set(response, session.cookie);
      this.pages.redirect(
        response,
        first
          ? await this.whereAfterSignIn.execute(session.personId, null)
          : '/account/connected-apps?after=reset',
      );
    } catch (error) {
      if (error instanceof DomainError && error.code === 'link_gone') return this.gone(response);
      await this.form(request, response, token, formErrors(error, response));
    }
  }

  private async form(
    request: HttpRequest,
    response: HttpResponse,
    token: string,
    outcome: Pick<ResetPageContent, 'status' | 'errors'>,
  ): Promise<void> {
    const link = await this.lookUp.execute(token, PASSWORD_LINKS);
    if (!link) return this.gone(response);
    const csrf = this.tokens.issue(request, response);
    const first = link.purpose === 'set-password';
    this.pages.send(response, resetPage({ csrf, token, email: link.email, first, ...outcome }));
  }

  private gone(response: HttpResponse): void {
    this.pages.send(response, linkGonePage({ href: '/forgot-password', label: 'Ask for a new link' }));
  }
}
