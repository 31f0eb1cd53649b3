import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { SignInThroughCompany } from '../../application/commands/sign-in-through-company.js';
import { CompanyIssuer, type CompanyRequest } from '../../application/ports/company-issuer.js';
import { WhereAfterSignIn } from '../../application/queries/where-after-sign-in.js';
import { VISITOR } from '../../application/visitor.js';
import { localPath } from '../../domain/local-path.js';
import { cookieName, cookieOptions } from './cookies.js';
import { queryField } from './form-body.js';
import { errorPage } from './pages/error-page.js';
import { PageFilter, statusOf } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';
import { WebSessionCookie } from './web-session-cookie.js';

const TRY_MILLISECONDS = 10 * 60_000;

interface Try extends CompanyRequest {
  readonly next: string | null;
  /** When it began, in milliseconds. */
  readonly at: number;
}

/** The way to the issuer of the company and back. What the way back is checked against rides sealed in a cookie. */
@Controller('login/company')
@UseFilters(PageFilter)
export class CompanySignInController {
  constructor(
    private readonly configuration: Configuration,
    private readonly issuer: CompanyIssuer,
    private readonly signIn: SignInThroughCompany,
    private readonly whereAfterSignIn: WhereAfterSignIn,
    private readonly secrets: SecretBox,
    private readonly cookie: WebSessionCookie,
    private readonly pages: PageSender,
  ) {}

  @Get()
  async begin(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const again = queryField(request, 'again') !== null;
    const { address, request: asked } = await this.issuer.begin({ again });
    const kept: Try = { ...asked, next: localPath(queryField(request, 'next')), at: Date.now() };
    const { isHttps } = this.configuration;
    response.cookie(
      cookieName('company', isHttps),
      this.secrets.seal(JSON.stringify(kept)),
      cookieOptions(isHttps, TRY_MILLISECONDS),
    );
    this.pages.redirect(response, address);
  }

  @Get('callback')
  async finish(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const kept = this.tryOf(request);
    const { isHttps } = this.configuration;
    response.clearCookie(cookieName('company', isHttps), cookieOptions(isHttps));
    if (!kept) {
      return this.failed(
        response,
        403,
        'This sign-in was begun in another browser, or more than ten minutes ago. Start again.',
      );
    }
    try {
      const claims = await this.issuer.finish(searchOf(request), kept);
      const opened = await this.signIn.execute(VISITOR, {
        claims,
        browser: this.cookie.browserOf(request),
        previous: request.loupe?.person?.actor,
      });
      this.cookie.set(response, opened.cookie);
      this.pages.redirect(response, await this.whereAfterSignIn.execute(opened.personId, kept.next));
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'forbidden') throw error;
      this.failed(response, statusOf(error), error.message);
    }
  }

  private failed(response: HttpResponse, status: number, sentence: string): void {
    this.pages.send(
      response,
      errorPage({
        status,
        heading: 'You are not signed in',
        sentence,
        action: { href: '/login', label: 'Go to sign-in' },
      }),
    );
  }

  private tryOf(request: HttpRequest): Try | null {
    const sealed = parseCookie(request.headers.cookie ?? '')[
      cookieName('company', this.configuration.isHttps)
    ];
    if (!sealed) return null;
    try {
      const kept = JSON.parse(this.secrets.open(sealed)) as Try;
      return Date.now() - kept.at <= TRY_MILLISECONDS ? kept : null;
    } catch {
      return null;
    }
  }
}

function searchOf(request: HttpRequest): string {
  const at = request.originalUrl.indexOf('?');
  return at < 0 ? '' : request.originalUrl.slice(at);
}
