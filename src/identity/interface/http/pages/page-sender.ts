import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { newNonce, securityHeaders } from '#libs/http/security-headers.js';
import { gateLayout } from './gate-layout.js';
import type { Html } from './html.js';
import { footFacts } from './page-frame.js';

export interface GatePage {
  /** Default 200. */
  readonly status?: number;
  readonly title: string;
  /** Everything inside `main`, beginning with the one `h1`. */
  readonly body: Html;
  readonly wide?: boolean;
  /** True for login and consent pages, which apps open as pop-ups. */
  readonly popUp?: boolean;
  /** Origins that the form may lead to, beside this one. */
  readonly formAction?: readonly string[];
}

/** Sends pages that are rendered on the server, with the security headers of `platform.md` 14. */
@Injectable()
export class PageSender {
  constructor(private readonly configuration: Configuration) {}

  send(response: HttpResponse, page: GatePage): void {
    const headers = securityHeaders({
      nonce: newNonce(),
      https: this.configuration.isHttps,
      formAction: page.formAction,
      openerPolicy: page.popUp ? 'unsafe-none' : 'same-origin',
    });
    const content = gateLayout({
      title: page.title,
      body: page.body,
      wide: page.wide,
      foot: footFacts(this.configuration),
    });
    response.status(page.status ?? 200);
    response.set({ ...headers, 'Cache-Control': 'no-store' });
    response.type('html').send(content.markup);
  }

  /** Sends the browser on with 303, so that a reload repeats no POST. */
  redirect(response: HttpResponse, location: string): void {
    response.set('Cache-Control', 'no-store');
    response.redirect(303, location);
  }
}
