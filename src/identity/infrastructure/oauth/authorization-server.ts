import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { requestFacts, withRequestFacts } from '#libs/kernel/request-context.js';
import { Metrics } from '#libs/observability/metrics.js';
import { AuthorizationErrorPage } from '../../application/ports/authorization-error-page.js';
import { rulesOf } from '../../domain/oauth-client.js';
import { decideScopes } from '../../domain/requested-scopes.js';
import { Resources } from '../../domain/resources.js';
import { FormRefused, readForm } from './form-reader.js';
import { forwardedRequest } from './forwarded-request.js';
import { OAUTH_ROUTES, OAuthProvider } from './oauth-provider.js';
import { WidgetOrigins } from './widget-origins.js';

const TOKEN_CALLS = { max: 120, windowSeconds: 60 };
const DEVICE_STARTS = { max: 30, windowSeconds: 3_600 };

/** Parameters of the authorization request that mean something here; clients send others that the library would refuse. */
const AUTHORIZATION_PARAMETERS = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'origin',
  'project',
  'prompt',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

type Endpoint = 'authorize' | 'resume' | 'token' | 'revoke' | 'device' | 'jwks' | 'preflight';

/**
 * The door before the library: brings `resource` and `scope` into the form that the library expects, refuses what it
 * would only refuse after a token is spent, and answers CORS. Everything else goes on to the application.
 */
@Injectable()
export class AuthorizationServer {
  private readonly logger = new Logger('oauth');
  private readonly resources: Resources;

  constructor(
    private readonly configuration: Configuration,
    private readonly provider: OAuthProvider,
    private readonly limiter: RateLimiter,
    private readonly widget: WidgetOrigins,
    private readonly metrics: Metrics,
    private readonly errorPage: AuthorizationErrorPage,
  ) {
    this.resources = new Resources(configuration.values.defaultUri);
  }

  /** Middleware for `app.use`, before any body parser. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const endpoint = endpointOf(request.method, request.path);
    if (!endpoint) {
      next();
      return;
    }
    const known = requestFacts();
    const facts = {
      traceId: known?.traceId ?? request.traceId ?? '',
      ip: known?.ip ?? request.ip ?? null,
      channel: 'oauth' as const,
    };
    withRequestFacts(facts, () => this.serve(endpoint, request, response, facts.ip)).catch((error: unknown) =>
      this.fail(error, endpoint, response, facts.traceId),
    );
  };

  private fail(error: unknown, endpoint: Endpoint, response: Response, traceId: string): void {
    if (response.headersSent) {
      response.end();
      return;
    }
    if (error instanceof FormRefused) {
      this.refuse(response, error.status, error.code, error.message);
      return;
    }
    const away = error instanceof DomainError && error.kind === 'unavailable' ? error : null;
    if (!away)
      this.logger.error({ msg: 'A request to the authorization server failed', traceId, err: error });
    const sentence = away?.message ?? `Something went wrong on the server. Reference: ${traceId}`;
    const status = away ? 503 : 500;
    if (away?.detail.retryAfterSeconds) response.set('Retry-After', String(away.detail.retryAfterSeconds));
    if (endpoint !== 'authorize' && endpoint !== 'resume') {
      this.refuse(response, status, away ? 'temporarily_unavailable' : 'server_error', sentence);
      return;
    }
    const { headers, markup } = this.errorPage.render(sentence);
    response
      .status(status)
      .set({ ...headers, 'Cache-Control': 'no-store' })
      .type('html')
      .send(markup);
  }

  private async serve(
    endpoint: Endpoint,
    request: Request,
    response: Response,
    ip: string | null,
  ): Promise<void> {
    switch (endpoint) {
      case 'authorize':
        return this.forward(request, response, this.authorizationUrl(request), null);
      case 'resume':
      case 'jwks':
        return this.forward(request, response, request.originalUrl, null);
      case 'preflight':
        await this.widget.answerPreflight(request, response);
        return;
      case 'token':
        if (await this.passes(response, 'identity.token', ip, TOKEN_CALLS))
          await this.token(request, response);
        return;
      case 'revoke': {
        const form = await readForm(request);
        await this.widget.allowRevocation(request, response, form);
        return this.forward(request, response, request.path, form);
      }
      case 'device':
        if (await this.passes(response, 'identity.device_authorizations', ip, DEVICE_STARTS)) {
          await this.device(request, response);
        }
    }
  }

  private async token(request: Request, response: Response): Promise<void> {
    const form = await readForm(request);
    const clientId = form.get('client_id');
    if (clientId !== null) {
      // The refresh grant of the library uses the token up before it looks at the resource.
      if (!this.settleResource(form, clientId)) {
        this.refuse(response, 400, 'invalid_target', 'resource indicator is missing, or unknown');
        return;
      }
      const scope = form.get('scope');
      const named = new Set((scope ?? '').split(' '));
      const kept = rulesOf(clientId).scopes.filter((candidate) => named.has(candidate));
      if (kept.length > 0) form.set('scope', kept.join(' '));
      if (!(await this.widget.allowExchange(request, response, form))) {
        this.refuse(
          response,
          400,
          'invalid_grant',
          'the request comes from another site than the one that signed in',
        );
        return;
      }
    }
    return this.forward(request, response, request.path, form);
  }

  private async device(request: Request, response: Response): Promise<void> {
    const form = await readForm(request);
    const clientId = form.get('client_id');
    if (clientId !== null) {
      if (!this.settleResource(form, clientId)) {
        this.refuse(response, 400, 'invalid_target', 'resource indicator is missing, or unknown');
        return;
      }
      settleScope(form, clientId);
    }
    return this.forward(request, response, request.path, form);
  }

  private authorizationUrl(request: Request): string {
    const { originalUrl } = request;
    // A redirect address may hold a question mark of its own, so only the first one counts.
    const start = originalUrl.indexOf('?');
    const path = start < 0 ? originalUrl : originalUrl.slice(0, start);
    const given = new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1));
    const kept = new URLSearchParams();
    for (const [name, value] of given)
      if (AUTHORIZATION_PARAMETERS.has(name) && !value.includes('\0')) kept.append(name, value);
    // The other modes answer with pages of the library. An unknown name makes it refuse by redirect.
    if (kept.has('response_mode') && kept.get('response_mode') !== 'query') {
      kept.set('response_mode', 'unsupported');
    }
    const clientId = kept.get('client_id');
    if (clientId !== null) {
      // What is wrong stays as it is: the library refuses it once it knows where to send the refusal.
      this.settleResource(kept, clientId);
      settleScope(kept, clientId);
    }
    return `${path}?${kept}`;
  }

  /** Brings the resource into its one form. False when it is not the one of this client. */
  private settleResource(parameters: URLSearchParams, clientId: string): boolean {
    const named = parameters.getAll('resource');
    if (named.length === 0) return true;
    if (named.length > 1) return false;
    const resource = this.resources.normalise(named[0]!);
    parameters.set('resource', resource);
    return resource === this.resources.ofClient(clientId);
  }

  private async forward(
    request: Request,
    response: Response,
    url: string,
    form: URLSearchParams | null,
  ): Promise<void> {
    const { defaultUri } = this.configuration.values;
    await this.provider.answer(forwardedRequest(request, { url, defaultUri, form }), response);
  }

  private async passes(
    response: Response,
    name: string,
    ip: string | null,
    limit: { max: number; windowSeconds: number },
  ): Promise<boolean> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(name, addressKey(ip), limit);
    if (allowed) return true;
    this.metrics.rateLimited.inc({ limit: name });
    response
      .status(429)
      .set({ 'Retry-After': String(retryAfterSeconds), 'Cache-Control': 'no-store' })
      .json({
        error: 'rate_limited',
        message: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
        retryAfter: retryAfterSeconds,
      });
    return false;
  }

  private refuse(response: Response, status: number, error: string, description: string): void {
    response.status(status).set('Cache-Control', 'no-store').json({ error, error_description: description });
  }
}

function settleScope(parameters: URLSearchParams, clientId: string): void {
  const decision = decideScopes(clientId, parameters.get('scope') ?? undefined);
  if (decision.scopes) parameters.set('scope', decision.scopes.join(' '));
}

function endpointOf(method: string, path: string): Endpoint | null {
  if (method === 'GET') {
    if (path === OAUTH_ROUTES.authorization) return 'authorize';
    if (path === OAUTH_ROUTES.jwks) return 'jwks';
    return path.startsWith(`${OAUTH_ROUTES.authorization}/`) ? 'resume' : null;
  }
  if (method !== 'POST' && method !== 'OPTIONS') return null;
  const preflight = method === 'OPTIONS';
  if (path === OAUTH_ROUTES.token) return preflight ? 'preflight' : 'token';
  if (path === OAUTH_ROUTES.revocation) return preflight ? 'preflight' : 'revoke';
  return path === OAUTH_ROUTES.device_authorization && !preflight ? 'device' : null;
}
