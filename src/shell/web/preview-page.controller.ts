import { Controller, Get, Header, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import {
  GetPreviewPage,
  type PreviewPage,
} from '#src/artifacts/preview/application/queries/get-preview-page.js';
import { PageFilter } from '#src/identity/interface/http/pages/page.filter.js';
import { previewPage } from './preview-page.js';

/**
 * The page that shows a preview (`artifacts.md` 10.1): whoever may read the artifact, and everybody where it is public.
 * Without a session and without that: the sign-in, also for ids that nothing has.
 */
@ApiExcludeController()
@Controller('artifacts/:artifactId/preview')
@UseFilters(PageFilter)
export class PreviewPageController {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly pages: GetPreviewPage,
  ) {}

  @Get()
  async show(
    @Param('artifactId') artifactId: string,
    @Query('version') version: unknown,
    @Query('bare') bare: unknown,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    if (!this.flags.isOn('artifacts.enabled')) throw notFound('Artifact');
    const person = request.loupe?.person?.actor ?? null;
    const page = await this.pages.execute(person, { artifactId, version: versionOf(version) });
    if (page === null) {
      if (person !== null) throw notFound('Artifact');
      response.set('Cache-Control', 'no-store');
      response.redirect(303, `/login?next=${encodeURIComponent(request.originalUrl)}`);
      return;
    }
    const nonce = newNonce();
    const headers = securityHeaders({
      nonce,
      https: this.configuration.isHttps,
      framesOnly: this.pages.frameSource,
    });
    response
      .set({ ...headers, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
      .type('html')
      .send(previewPage(page, { nonce, bare: bare === '1', live: person !== null }).markup);
  }

  /** What the open page asks again when something changed. */
  @Get('state')
  @Header('Cache-Control', 'no-store')
  async state(
    @Param('artifactId') artifactId: string,
    @Query('version') version: unknown,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const person = request.loupe?.person?.actor ?? null;
    const page = await this.stateOf(person, artifactId, version);
    response.status(page === null ? 404 : 200).json(page ?? { error: 'not_found' });
  }

  private async stateOf(
    person: Parameters<GetPreviewPage['execute']>[0],
    artifactId: string,
    version: unknown,
  ): Promise<PreviewPage | null> {
    try {
      return await this.pages.execute(person, { artifactId, version: versionOf(version) });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not-found') return null;
      throw error;
    }
  }
}

/** A version of the address; anything else than a number names none that exists. */
function versionOf(given: unknown): number | null {
  if (given === undefined || given === '') return null;
  return typeof given === 'string' && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : 0;
}
