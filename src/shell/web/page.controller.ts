import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { PreviewAddresses } from '#src/artifacts/preview/application/ports/preview-addresses.js';
import { Installation } from '#src/identity/application/installation.js';
import { WhereAfterSignIn } from '#src/identity/application/queries/where-after-sign-in.js';
import { PageFilter } from '#src/identity/interface/http/pages/page.filter.js';
import { appShell } from './app-shell.js';
import { readPageAddress } from './page-address.js';

/**
 * Answers every address of a page with the app (`platform.md` 2.2): 303 to the sign-in without a session, 404 with the
 * app for a project that the person may not read, for admin pages of others, and for a section that is switched off.
 */
@ApiExcludeController()
@Controller()
@UseFilters(PageFilter)
export class PageController {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly access: ProjectAccess,
    private readonly installation: Installation,
    private readonly whereAfterSignIn: WhereAfterSignIn,
    private readonly previews: PreviewAddresses,
  ) {}

  @Get()
  async start(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const person = request.loupe?.person;
    if (person) {
      response.redirect(303, await this.whereAfterSignIn.execute(person.actor.personId, null));
    } else {
      response.redirect(303, (await this.installation.isDone()) ? '/login' : '/install');
    }
  }

  /** Browsers ask for it by themselves, on pages of every kind. */
  @Get('favicon.ico')
  icon(@Res() response: HttpResponse): void {
    response.redirect(301, '/assets/mark.svg');
  }

  @Get([
    'projects{/*rest}',
    'account{/*rest}',
    'admin{/*rest}',
    'welcome{/*rest}',
    'invitations/:token',
    'inbox',
    'search',
  ])
  async page(@Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    const person = request.loupe?.person;
    if (!person) {
      response.redirect(303, `/login?next=${encodeURIComponent(request.originalUrl)}`);
      return;
    }
    const found = await this.exists(request, person.actor);
    const headers = securityHeaders({
      nonce: newNonce(),
      https: this.configuration.isHttps,
      previewBase: this.previews.frameSource,
    });
    response
      .status(found ? 200 : 404)
      .set({ ...headers, 'Cache-Control': 'no-store' })
      .type('html')
      .send(appShell());
  }

  private async exists(
    { path, query }: Pick<HttpRequest, 'path' | 'query'>,
    actor: PersonActor,
  ): Promise<boolean> {
    const { projectId, flag, admin } = readPageAddress(path, query);
    if (admin && !actor.isAdmin) return false;
    if (flag !== null && !this.flags.isOn(flag)) return false;
    return projectId === null || this.access.can(actor, projectId, 'read');
  }
}
