import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { cookieName, cookieOptions } from './cookies.js';

const HOUR_MILLISECONDS = 3_600_000;

/** What waits for a proof of address. */
export interface AwaitedProof {
  readonly email: string;
  /** Path of the page that was asked for before, such as the consent for an app. */
  readonly next: string | null;
}

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

  set(response: HttpResponse, kept: AwaitedProof): void {
    const { isHttps } = this.configuration;
    response.cookie(
      cookieName('check', isHttps),
      this.secrets.seal(JSON.stringify(kept)),
      cookieOptions(isHttps, HOUR_MILLISECONDS),
    );
  }

  of(request: HttpRequest): AwaitedProof | null {
    const sealed = parseCookie(request.headers.cookie ?? '')[cookieName('check', this.configuration.isHttps)];
    if (!sealed) return null;
    try {
      return JSON.parse(this.secrets.open(sealed)) as AwaitedProof;
    } catch {
      return null;
    }
  }

  clear(response: HttpResponse): void {
    const { isHttps } = this.configuration;
    response.clearCookie(cookieName('check', isHttps), cookieOptions(isHttps));
  }
}
