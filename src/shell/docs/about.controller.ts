import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { html } from '#src/identity/interface/http/pages/html.js';
import { PageSender } from '#src/identity/interface/http/pages/page-sender.js';
import { Guides } from './guides.js';

/** What runs here: version, source, licence (`platform.md` 13). Public. */
@ApiExcludeController()
@Controller('about')
export class AboutController {
  constructor(
    private readonly configuration: Configuration,
    private readonly pages: PageSender,
    private readonly guides: Guides,
  ) {}

  @Get()
  show(@Res() response: HttpResponse): void {
    const { defaultUri, sourceUrl } = this.configuration.values;
    const { licence } = this.guides;
    this.pages.send(response, {
      title: 'About',
      wide: true,
      body: html`<h1>About Loupe</h1>
<p>Loupe is a self-hosted server where people and coding agents plan and review together.</p>
<section class="panel" aria-label="This instance"><div class="panel__body"><dl class="facts">
<dt>Version</dt><dd>${version}</dd>
<dt>Instance</dt><dd><a href="/">${new URL(defaultUri).host}</a></dd>
<dt>Guides</dt><dd><a href="/docs">All guides of this version</a></dd>
${sourceUrl !== '' && html`<dt>Source</dt><dd><a href="${sourceUrl}" rel="noreferrer">${sourceUrl}</a></dd>`}
<dt>Licence</dt><dd><a href="#licence">${licence.name}</a></dd>
</dl></div></section>
<section class="stack" data-fill="" aria-labelledby="licence"><h2 id="licence">${licence.name}</h2>
${licence.paragraphs.map((paragraph) => html`<p class="small muted">${paragraph}</p>`)}
</section>`,
    });
  }
}
