import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { InstallInstance } from '../../application/commands/install-instance.js';
import { InstanceStatus } from '../../application/ports/instance-status.js';
import { InstallAccess, type InstallAccessAnswer } from '../../application/queries/install-access.js';
import { VISITOR } from '../../application/visitor.js';
import { cookieName, cookieOptions } from './cookies.js';
import { formField, queryField } from './form-body.js';
import { FORM_OUT_OF_DATE, FormTokens } from './form-tokens.js';
import { errorPage } from './pages/error-page.js';
import { installAccountPage, installStatusPage } from './pages/install-pages.js';
import { PageFilter } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';
import type { FieldError } from './pages/parts.js';
import { WebSessionCookie } from './web-session-cookie.js';

/** The install wizard: status, then the first administrator (`identity.md` 4.1). */
@Controller('install')
@UseFilters(PageFilter)
export class InstallController {
  constructor(
    private readonly access: InstallAccess,
    private readonly install: InstallInstance,
    private readonly status: InstanceStatus,
    private readonly tokens: FormTokens,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  async show(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const { installed, door, mark } = await this.look(request);
    if (installed || door === 'hidden') return this.hide(response);
    if (door === 'token-accepted') {
      const { isHttps } = this.configuration;
      response.cookie(cookieName('install', isHttps), mark, cookieOptions(isHttps));
      return this.pages.redirect(response, '/install');
    }
    if (queryField(request, 'step') === 'account') {
      const csrf = this.tokens.issue(request, response);
      return this.pages.send(response, installAccountPage({ csrf }));
    }
    const checks = await this.status.checks({
      protocol: request.protocol,
      host: request.get('host') ?? '',
      clientAddress: request.ip ?? '',
      forwardedFor: request.get('x-forwarded-for') ?? null,
    });
    this.pages.send(response, installStatusPage(checks));
  }

  @Post()
  async submit(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const { installed, door } = await this.look(request);
    const accepted = this.tokens.accepts(request);
    // A form that was sent while another one won still gets its answer below.
    if (door !== 'open' || (installed && !accepted)) return this.hide(response);
    const typed = {
      email: formField(request, 'email'),
      displayName: formField(request, 'displayName'),
      registration: formField(request, 'registration') === 'on',
    };
    const again = (status: number, errors: readonly FieldError[]): void => {
      const csrf = this.tokens.issue(request, response);
      this.pages.send(response, installAccountPage({ ...typed, csrf, errors, status }));
    };
    if (!accepted) return again(403, [FORM_OUT_OF_DATE]);
    try {
      const { session } = await this.install.execute(VISITOR, {
        email: typed.email,
        displayName: typed.displayName,
        password: formField(request, 'password'),
        wizard: { registration: typed.registration, browser: this.cookie.browserOf(request) },
      });
      const { isHttps } = this.configuration;
      response.clearCookie(cookieName('install', isHttps), cookieOptions(isHttps));
      this.cookie.set(response, session!.cookie);
      this.pages.redirect(response, '/welcome');
    } catch (error) {
      if (error instanceof InvalidInput) {
        return again(
          422,
          error.problems.map(({ argument, sentence }) => ({ field: argument, sentence })),
        );
      }
      if (!(error instanceof DomainError) || error.code !== 'already_installed') throw error;
      this.pages.send(
        response,
        errorPage({
          status: 409,
          heading: 'This instance is already installed',
          sentence: 'Somebody else was faster. Your account was not made.',
          action: { href: '/login', label: 'Go to sign-in' },
        }),
      );
    }
  }

  private look(request: HttpRequest): Promise<InstallAccessAnswer> {
    const name = cookieName('install', this.configuration.isHttps);
    const mark = parseCookie(request.headers.cookie ?? '')[name] ?? null;
    return this.access.execute({ token: queryField(request, 'token'), mark, ip: request.ip ?? null });
  }

  private hide(response: HttpResponse): void {
    this.pages.send(response, errorPage({ status: 404, sentence: 'There is no page at this address.' }));
  }
}
