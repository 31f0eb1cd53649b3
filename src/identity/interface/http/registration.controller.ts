import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RegisterPerson } from '../../application/commands/register-person.js';
import { GetRegistrationState } from '../../application/queries/registration-state.js';
import { VISITOR } from '../../application/visitor.js';
import { localPath } from '../../domain/local-path.js';
import { CheckMailCookie } from './check-mail-cookie.js';
import { formField, queryField } from './form-body.js';
import { formErrors } from './form-errors.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { notInstalledPage, registrationClosedPage } from './pages/closed-pages.js';
import { PageFilter } from './pages/page.filter.js';
import { type GatePage, PageSender } from './pages/page-sender.js';
import type { FieldError } from './pages/parts.js';
import { linkGonePage, registerPage } from './pages/registration-pages.js';
import { steadyAnswer } from './steady-answer.js';
import { WebSessionCookie } from './web-session-cookie.js';

const INVITATION_GONE = { href: '/login', label: 'Go to sign-in' };

/** The page on which people make their account (`identity.md` 4.2). */
@Controller('register')
@UseFilters(PageFilter)
export class RegistrationController {
  constructor(
    private readonly registration: GetRegistrationState,
    private readonly register: RegisterPerson,
    private readonly tokens: FormTokens,
    private readonly checkMail: CheckMailCookie,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
  ) {}

  @Get()
  async show(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const value = queryField(request, 'invite');
    const next = localPath(queryField(request, 'next'));
    const state = await this.registration.execute({ invite: value, next });
    if (state.state !== 'open') return this.pages.send(response, closedPage(state, 200));
    if (request.loupe?.person) return this.pages.redirect(response, next ?? '/');
    const csrf = this.tokens.issue(request, response);
    this.pages.send(response, registerPage({ csrf, next, invite: value, invited: state.email }));
  }

  @Post()
  async submit(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const value = formField(request, 'invite') || null;
    const next = localPath(formField(request, 'next'));
    const state = await this.registration.execute({ invite: value, next });
    if (state.state !== 'open') return this.pages.send(response, closedPage(state, 403));
    const email = formField(request, 'email');
    const displayName = formField(request, 'displayName');
    const again = (status: number, errors: readonly FieldError[]): void => {
      const csrf = this.tokens.issue(request, response);
      const known = { csrf, next, invite: value, invited: state.email };
      this.pages.send(response, registerPage({ ...known, email, displayName, errors, status }));
    };
    if (!this.tokens.accepts(request)) return again(403, [FORM_OUT_OF_DATE]);
    try {
      const result = await steadyAnswer(
        this.register.execute(VISITOR, {
          email,
          displayName,
          password: formField(request, 'password'),
          invite: value,
          next,
          browser: this.cookie.browserOf(request),
        }),
      );
      if (result.next === 'check-mail') {
        this.checkMail.set(response, { email: result.email, next });
        return this.pages.redirect(response, '/check-email');
      }
      this.cookie.set(response, result.session.cookie);
      this.pages.redirect(response, next ?? '/welcome');
    } catch (error) {
      if (error instanceof DomainError && error.code === 'link_gone') {
        return this.pages.send(response, linkGonePage(INVITATION_GONE));
      }
      const { status, errors } = formErrors(error, response);
      again(status, errors);
    }
  }
}

function closedPage(
  state: Exclude<Awaited<ReturnType<GetRegistrationState['execute']>>, { state: 'open' }>,
  status: number,
): GatePage {
  if (state.state === 'not-installed') return notInstalledPage();
  if (state.state === 'link-gone') return linkGonePage(INVITATION_GONE);
  return registrationClosedPage(status, state.reason);
}
