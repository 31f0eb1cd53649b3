import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { equal, sameOrigin } from '#libs/http/session.guard.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { cookieName, cookieOptions } from './cookies.js';

const PURPOSE = 'form-token';

/** Error of a form whose token is missing or wrong; the page stays, and a second try works. */
export const FORM_OUT_OF_DATE = {
  field: null,
  sentence: 'This form was out of date. Nothing was saved. Send it again.',
} as const;

/**
 * Tokens against forged forms (field `_csrf`). A signed-in person has the one of the session. Before sign-in it is a
 * keyed hash of a random cookie, so that nobody who can only plant a cookie can make a pair.
 */
@Injectable()
export class FormTokens {
  constructor(
    private readonly configuration: Configuration,
    private readonly secrets: SecretBox,
  ) {}

  /** Token for the forms of a page; sets the cookie when the visitor has none. */
  issue(request: HttpRequest, response: HttpResponse): string {
    const session = request.loupe?.person?.session;
    if (session) return session.csrfToken;
    let visitor = this.visitorOf(request);
    if (visitor === null) {
      visitor = randomBytes(32).toString('base64url');
      const { isHttps } = this.configuration;
      response.cookie(cookieName('form', isHttps), visitor, cookieOptions(isHttps));
    }
    return this.secrets.keyedHash(PURPOSE, visitor);
  }

  /** True when the POST carries the token of its session or visitor and comes from this origin. */
  accepts(request: HttpRequest): boolean {
    if (!sameOrigin(request, this.configuration.values.defaultUri)) return false;
    const sent: unknown = request.body?._csrf;
    if (typeof sent !== 'string') return false;
    const session = request.loupe?.person?.session;
    if (session) return equal(sent, session.csrfToken);
    const visitor = this.visitorOf(request);
    return visitor !== null && equal(sent, this.secrets.keyedHash(PURPOSE, visitor));
  }

  private visitorOf(request: HttpRequest): string | null {
    const value = parseCookie(request.headers.cookie ?? '')[cookieName('form', this.configuration.isHttps)];
    return value && /^[\w-]{43}$/.test(value) ? value : null;
  }
}
