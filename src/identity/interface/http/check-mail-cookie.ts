import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { cookieName, cookieOptions } from './cookies.js';

const HOUR_MILLISECONDS = 3_600_000;

/**
 * Remembers, sealed and for an hour, which address waits to be proved. A session would tell a new account from a taken
 * address; this cookie is the same for both.
 */
@Injectable()
export class CheckMailCookie {
  constructor(
    private readonly configuration: Configuration,
    private readonly secrets: SecretBox,
  ) {}

  set(response: HttpResponse, email: string): void {
    const { isHttps } = this.configuration;
    response.cookie(
      cookieName('check', isHttps),
      this.secrets.seal(email),
      cookieOptions(isHttps, HOUR_MILLISECONDS),
    );
  }

  emailOf(request: HttpRequest): string | null {
    const sealed = parseCookie(request.headers.cookie ?? '')[cookieName('check', this.configuration.isHttps)];
    if (!sealed) return null;
    try {
      return this.secrets.open(sealed);
    } catch {
      return null;
    }
  }

  clear(response: HttpResponse): void {
    const { isHttps } = this.configuration;
    response.clearCookie(cookieName('check', isHttps), cookieOptions(isHttps));
  }
}
