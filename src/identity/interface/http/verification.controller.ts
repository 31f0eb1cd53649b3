import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ConfirmEmailChange } from '../../application/commands/confirm-email-change.js';
import { ResendVerification } from '../../application/commands/resend-verification.js';
import { VerifyEmail } from '../../application/commands/verify-email.js';
import { LookUpLink } from '../../application/queries/look-up-link.js';
import { WhereAfterSignIn } from '../../application/queries/where-after-sign-in.js';
import { VISITOR } from '../../application/visitor.js';
import type { TokenPurpose } from '../../domain/account-token.js';
import { CheckMailCookie } from './check-mail-cookie.js';
import { formField, queryField } from './form-body.js';
import { formErrors } from './form-errors.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { PageFilter } from './pages/page.filter.js';
import { type GatePage, PageSender } from './pages/page-sender.js';
import {
  type ConfirmPageContent,
  checkMailPage,
  confirmEmailPage,
  emailConfirmedPage,
  linkGonePage,
  verifyPage,
} from './pages/registration-pages.js';
import { steadyAnswer } from './steady-answer.js';
import { WebSessionCookie } from './web-session-cookie.js';

interface ConfirmForm {
  readonly purpose: TokenPurpose;
  readonly page: (content: ConfirmPageContent) => GatePage;
  readonly gone: { readonly href: string; readonly label: string };
}

const VERIFY: ConfirmForm = {
  purpose: 'verify-email',
  page: verifyPage,
  gone: { href: '/login', label: 'Sign in to get another link' },
};
const CHANGE: ConfirmForm = {
  purpose: 'change-email',
  page: confirmEmailPage,
  gone: { href: '/account', label: 'Go to your account' },
};

/** Pages that prove an address (`identity.md` 4.2, 4.5). A link does nothing until its button is pressed. */
@Controller()
@UseFilters(PageFilter)
export class VerificationController {
  constructor(
    private readonly lookUp: LookUpLink,
    private readonly verifyEmail: VerifyEmail,
    private readonly confirmChange: ConfirmEmailChange,
    private readonly resend: ResendVerification,
    private readonly whereAfterSignIn: WhereAfterSignIn,
    private readonly tokens: FormTokens,
    private readonly checkMail: CheckMailCookie,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
  ) {}

  @Get('check-email')
  showCheckMail(@Req() request: HttpRequest, @Res() response: HttpResponse): void {
    const email = this.checkMail.of(request)?.email;
    if (email === undefined) {
      this.pages.redirect(response, '/login');
      return;
    }
    const csrf = this.tokens.issue(request, response);
    const again = queryField(request, 'again') !== null;
    this.pages.send(response, checkMailPage({ csrf, email, again }));
  }

  @Post('check-email')
  async sendAgain(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const email = this.checkMail.of(request)?.email;
    if (email === undefined) return this.pages.redirect(response, '/login');
    if (!this.tokens.accepts(request)) {
      const csrf = this.tokens.issue(request, response);
      this.pages.send(response, checkMailPage({ csrf, email, errors: [FORM_OUT_OF_DATE], status: 403 }));
      return;
    }
    await steadyAnswer(this.resend.execute(VISITOR, { email }));
    this.pages.redirect(response, '/check-email?again');
  }

  @Get('verify-email')
  showVerify(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.showForm(request, response, VERIFY);
  }

  @Post('verify-email')
  verify(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.takeForm(request, response, VERIFY, async (token) => {
      const opened = await this.verifyEmail.execute(VISITOR, {
        token,
        browser: this.cookie.browserOf(request),
        previous: request.loupe?.person?.actor,
      });
      const next = this.checkMail.of(request)?.next ?? null;
      this.checkMail.clear(response);
      this.cookie.set(response, opened.cookie);
      this.pages.redirect(response, await this.whereAfterSignIn.execute(opened.personId, next));
    });
  }

  @Get('confirm-email')
  showChange(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.showForm(request, response, CHANGE);
  }

  @Post('confirm-email')
  change(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.takeForm(request, response, CHANGE, async (token) => {
      const { email } = await this.confirmChange.execute(VISITOR, { token });
      this.pages.send(response, emailConfirmedPage(email));
    });
  }

  private async showForm(request: HttpRequest, response: HttpResponse, form: ConfirmForm): Promise<void> {
    await this.form(request, response, form, queryField(request, 'token') ?? '', {});
  }

  private async takeForm(
    request: HttpRequest,
    response: HttpResponse,
    form: ConfirmForm,
    use: (token: string) => Promise<void>,
  ): Promise<void> {
    const token = formField(request, 'token');
    if (!this.tokens.accepts(request)) {
      return this.form(request, response, form, token, { status: 403, errors: [FORM_OUT_OF_DATE] });
    }
    try {
      await use(token);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'link_gone') {
        return this.pages.send(response, linkGonePage(form.gone));
      }
      await this.form(request, response, form, token, formErrors(error, response));
    }
  }

  private async form(
    request: HttpRequest,
    response: HttpResponse,
    { purpose, page, gone }: ConfirmForm,
    token: string,
    outcome: Pick<ConfirmPageContent, 'status' | 'errors'>,
  ): Promise<void> {
    const link = await this.lookUp.execute(token, [purpose]);
    if (!link) return this.pages.send(response, linkGonePage(gone));
    const csrf = this.tokens.issue(request, response);
    this.pages.send(response, page({ csrf, token, email: link.email, ...outcome }));
  }
}
