import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { ABSOLUTE_DAYS, type Browser } from '../../domain/web-session.js';
import { cookieName, cookieOptions } from './cookies.js';

const DAY_MILLISECONDS = 86_400_000;

/** The cookie that carries a web session, and what a request says about its browser. */
@Injectable()
export class WebSessionCookie {
  constructor(private readonly configuration: Configuration) {}

  set(response: HttpResponse, value: string): void {
    const { isHttps } = this.configuration;
    response.cookie(
      cookieName('session', isHttps),
      value,
      cookieOptions(isHttps, ABSOLUTE_DAYS * DAY_MILLISECONDS),
    );
  }

  clear(response: HttpResponse): void {
    const { isHttps } = this.configuration;
    response.clearCookie(cookieName('session', isHttps), cookieOptions(isHttps));
  }

  browserOf(request: HttpRequest): Browser {
    return { ip: request.ip ?? null, userAgent: request.get('user-agent') ?? null };
  }
}
