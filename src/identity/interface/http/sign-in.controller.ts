import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { LogIn } from '../../application/commands/log-in.js';
import { LogOut } from '../../application/commands/log-out.js';
import { GetOwnAccount } from '../../application/queries/get-own-account.js';
import { InstallAccess } from '../../application/queries/install-access.js';
import { GetRegistrationState } from '../../application/queries/registration-state.js';
import { WhereAfterSignIn } from '../../application/queries/where-after-sign-in.js';
import { SignInWays } from '../../application/sign-in-ways.js';
import { VISITOR } from '../../application/visitor.js';
import { localPath } from '../../domain/local-path.js';
import { CheckMailCookie } from './check-mail-cookie.js';
import { formField, queryField } from './form-body.js';
import { formErrors } from './form-errors.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { notInstalledPage } from './pages/closed-pages.js';
import { PageFilter } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';
import type { FieldError } from './pages/parts.js';
import { leaveCompanyPage, type SignInPageContent, signInPage, signOutPage } from './pages/sign-in-pages.js';
import { WebSessionCookie } from './web-session-cookie.js';

/** Sign-in and sign-out pages; they need no script. */
@Controller()
@UseFilters(PageFilter)
export class SignInController {
  constructor(
    private readonly logIn: LogIn,
    private readonly logOut: LogOut,
    private readonly whereAfterSignIn: WhereAfterSignIn,
    private readonly account: GetOwnAccount,
    private readonly installAccess: InstallAccess,
    private readonly signInWays: SignInWays,
    private readonly registration: GetRegistrationState,
    private readonly mailer: Mailer,
    private readonly tokens: FormTokens,
    private readonly checkMail: CheckMailCookie,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
  ) {}

  @Get('login')
  async showSignIn(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const next = localPath(queryField(request, 'next'));
    const person = request.loupe?.person;
    if (person) {
      this.pages.redirect(response, await this.whereAfterSignIn.execute(person.actor.personId, next));
      return;
    }
    if (await this.answeredBeforeInstall(response)) return;
    const csrf = this.tokens.issue(request, response);
    this.pages.send(response, signInPage({ ...(await this.ways(next)), csrf, next }));
  }

  @Post('login')
  async signIn(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    if (await this.answeredBeforeInstall(response)) return;
    const email = formField(request, 'email');
    const next = localPath(formField(request, 'next'));
    const ways = await this.ways(next);
    const again = (status: number, errors: readonly FieldError[]): void => {
      const csrf = this.tokens.issue(request, response);
      this.pages.send(response, signInPage({ ...ways, csrf, next, email, errors, status }));
    };
    if (!this.tokens.accepts(request)) return again(403, [FORM_OUT_OF_DATE]);
    try {
      const opened = await this.logIn.execute(VISITOR, {
        email,
        password: formField(request, 'password'),
        browser: this.cookie.browserOf(request),
        previous: request.loupe?.person?.actor,
      });
      this.cookie.set(response, opened.cookie);
      this.pages.redirect(response, await this.whereAfterSignIn.execute(opened.personId, next));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unverified' && this.mailer.isOn) {
        this.checkMail.set(response, { email, next });
        return this.pages.redirect(response, '/check-email');
      }
      const { status, errors } = formErrors(error, response);
      again(status, errors);
    }
  }

  @Get('logout')
  async showSignOut(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    await this.askToSignOut(request, response, localPath(queryField(request, 'next')));
  }

  @Post('logout')
  async signOut(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const next = localPath(formField(request, 'next'));
    const person = request.loupe?.person;
    if (person && !this.tokens.accepts(request)) {
      await this.askToSignOut(request, response, next, 403, [FORM_OUT_OF_DATE]);
      return;
    }
    let leaveCompanyAt: string | null = null;
    if (person) {
      ({ leaveCompanyAt } = await this.logOut.execute(person.actor));
      // Drafts of the person stay in the browser otherwise, for whoever comes next.
      response.set('Clear-Site-Data', '"storage"');
    }
    this.cookie.clear(response);
    if (leaveCompanyAt && !next) {
      // A redirect from the form would be stopped by the policy of the page that it came from.
      response.set('Refresh', `0; url=${leaveCompanyAt}`);
      this.pages.send(response, leaveCompanyPage(leaveCompanyAt));
      return;
    }
    this.pages.redirect(response, next ? `/login?next=${encodeURIComponent(next)}` : '/login');
  }

  private async ways(
    next: string | null,
  ): Promise<Pick<SignInPageContent, 'byPassword' | 'byCompany' | 'mail' | 'open'>> {
    const { password, company } = this.signInWays;
    const { state } = await this.registration.execute({ invite: null, next });
    return { byPassword: password, byCompany: company, mail: this.mailer.isOn, open: state === 'open' };
  }

  private async askToSignOut(
    request: HttpRequest,
    response: HttpResponse,
    next: string | null,
    status?: number,
    errors?: readonly FieldError[],
  ): Promise<void> {
    const person = request.loupe?.person;
    if (!person) return this.pages.redirect(response, '/login');
    const { email } = await this.account.execute(person.actor);
    const csrf = this.tokens.issue(request, response);
    this.pages.send(response, signOutPage({ csrf, next, email, errors, status }));
  }

  private async answeredBeforeInstall(response: HttpResponse): Promise<boolean> {
    const { installed, door } = await this.installAccess.execute({ token: null, mark: null, ip: null });
    if (installed) return false;
    if (door === 'open') this.pages.redirect(response, '/install');
    else this.pages.send(response, notInstalledPage());
    return true;
  }
}
