import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import {
  AuthorizationErrorPage,
  type RenderedPage,
} from '../../application/ports/authorization-error-page.js';
import { gateLayout } from './pages/gate-layout.js';
import { html } from './pages/html.js';
import { footFacts } from './pages/page-frame.js';

/** Shows errors of an app to the person whom it sent here. There is no way back to the app on it, on purpose. */
@Injectable()
export class GateErrorPage extends AuthorizationErrorPage {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  override render(sentence: string): RenderedPage {
    const content = gateLayout({
      title: 'The app cannot be connected',
      body: html`<h1>The app cannot be connected</h1>
<p>${sentence}</p>
<p class="muted">Nothing was allowed. Tell whoever made the app, or start again in it.</p>`,
      foot: footFacts(this.configuration),
    });
    return {
      headers: securityHeaders({
        nonce: newNonce(),
        https: this.configuration.isHttps,
        openerPolicy: 'unsafe-none',
      }),
      markup: content.markup,
    };
  }
}
