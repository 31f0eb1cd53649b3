import { Injectable, Logger } from '@nestjs/common';
import * as openid from 'openid-client';
import { Configuration } from '#libs/configuration/configuration.js';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import {
  type CompanyClaims,
  CompanyIssuer,
  type CompanyRequest,
} from '../application/ports/company-issuer.js';

const ANSWER_SECONDS = 10;
/** Bytes of an answer of the issuer; its key sets and claims are far smaller. */
const ANSWER_MAX_BYTES = 1024 * 1024;
/** How long what the issuer says about itself is believed. */
const METADATA_MS = 3_600_000;

export const COMPANY_CALLBACK = '/login/company/callback';

/** Any standard issuer, by code flow with PKCE, state and nonce. */
@Injectable()
export class OpenIdCompanyIssuer extends CompanyIssuer {
  private readonly logger = new Logger('company-sign-in');
  private known: { readonly client: Promise<openid.Configuration>; readonly until: number } | null = null;

  constructor(private readonly configuration: Configuration) {
    super();
  }

  override async begin({
    again,
  }: {
    readonly again: boolean;
  }): Promise<{ address: string; request: CompanyRequest }> {
    const client = await this.client();
    const request = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const address = openid.buildAuthorizationUrl(client, {
      redirect_uri: this.configuration.url(COMPANY_CALLBACK),
      scope: this.settings.scopes.join(' '),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(again ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { address: address.href, request };
  }

  override async finish(search: string, request: CompanyRequest): Promise<CompanyClaims> {
    const client = await this.client();
    // The address of this instance, not the one that the browser happened to use.
    const address = new URL(`${this.configuration.url(COMPANY_CALLBACK)}${search}`);
    try {
      const tokens = await openid.authorizationCodeGrant(client, address, {
        expectedState: request.state,
        expectedNonce: request.nonce,
        pkceCodeVerifier: request.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const more = client.serverMetadata().userinfo_endpoint
        ? await openid.fetchUserInfo(client, tokens.access_token, claims.sub)
        : {};
      return claimsOf(claims.iss, claims.sub, { ...more, ...claims }, tokens.id_token ?? null);
    } catch (error) {
      throw this.refusal(error);
    }
  }

  override async problem(): Promise<string | null> {
    try {
      await this.discover();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message.split('\n')[0]! : 'no reason given';
    }
  }

  override async signOutAddress(idToken: string): Promise<string | null> {
    try {
      const client = await this.client();
      if (!client.serverMetadata().end_session_endpoint) return null;
      return openid.buildEndSessionUrl(client, {
        post_logout_redirect_uri: this.configuration.url('/login'),
        id_token_hint: idToken,
      }).href;
    } catch {
      return null;
    }
  }

  private get settings() {
    const { companySignIn } = this.configuration.values;
    if (!companySignIn) throw notFound('Page');
    return companySignIn;
  }

  private async client(): Promise<openid.Configuration> {
    if (!this.known || this.known.until < Date.now()) {
      this.known = { client: this.discover(), until: Date.now() + METADATA_MS };
    }
    const asked = this.known;
    try {
      return await asked.client;
    } catch (error) {
      // The next one asks again.
      if (this.known === asked) this.known = null;
      // Whoever cannot tell about themselves is away, whatever the answer was.
      throw error instanceof DomainError ? error : this.away(error);
    }
  }

  private async discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const insecure = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    return openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: insecure,
      timeout: ANSWER_SECONDS,
      [openid.customFetch]: fetchLimited,
    });
  }

  private refusal(error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    if (error instanceof openid.AuthorizationResponseError) {
      return error.error === 'access_denied'
        ? new DomainError('forbidden', 'sign_in_cancelled', 'The sign-in at your company was cancelled.')
        : refused();
    }
    const away = this.away(error);
    const code = (error as { code?: string }).code ?? '';
    // Wrong state, nonce or signature, and codes that are used up, are of this one try.
    const ofThisTry =
      error instanceof openid.ResponseBodyError ||
      /^OAUTH_(JWT|INVALID|PARSE|RESPONSE_IS_NOT_CONFORM|KEY|MISSING)/.test(code);
    return ofThisTry && !/HTTP|TIMEOUT|ABORT/.test(code) ? refused() : away;
  }

  private away(error: unknown): DomainError {
    const code = (error as { code?: string }).code ?? '';
    const why = error instanceof Error ? error.message : 'no reason given';
    this.logger.warn({ msg: 'Company sign-in failed', code, why });
    return new DomainError(
      'unavailable',
      'issuer_away',
      'The sign-in of your company does not answer. Try again in a moment.',
      { retryAfterSeconds: 10 },
    );
  }
}

/** As `fetch`, but an answer without an end is cut off. */
async function fetchLimited(url: string, options: openid.CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_MAX_BYTES) controller.error(new Error('The issuer sends an answer without an end.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}

function refused(): DomainError {
  return new DomainError('forbidden', 'sign_in_refused', 'The sign-in could not be completed. Start again.');
}

function claimsOf(
  issuer: string,
  subject: string,
  said: Readonly<Record<string, unknown>>,
  idToken: string | null,
): CompanyClaims {
  const text = (name: string): string | null => {
    const value = said[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const { groups } = said;
  const listed = Array.isArray(groups) ? groups : typeof groups === 'string' ? [groups] : [];
  return {
    issuer,
    subject,
    email: text('email'),
    // Some issuers write it as text in their userinfo.
    emailVerified: said.email_verified === true || said.email_verified === 'true',
    name: text('name') ?? text('preferred_username'),
    groups: listed.filter((group): group is string => typeof group === 'string'),
    idToken,
  };
}
