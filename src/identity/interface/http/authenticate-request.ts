import { randomUUID } from 'node:crypto';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Configuration } from '#libs/configuration/configuration.js';
import type { HttpRequest, HttpResponse, NextFunction } from '#libs/http/exchange.js';
import type { RequestIdentity } from '#libs/http/request-identity.js';
import type { Channel } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { withRequestFacts } from '#libs/kernel/request-context.js';
import { AccessTokens } from '../../application/ports/access-tokens.js';
import { ResolveActorFromSession } from '../../application/queries/resolve-actor-from-session.js';
import { RequestLimits } from '../../application/request-limits.js';
import { cookieName } from './cookies.js';
import { errorPage } from './pages/error-page.js';
import { statusOf } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';

const AGENT_SESSION_ID = /^[A-Za-z0-9_.:-]{1,100}$/;

/** They must answer while the database is away, and are the same for everybody. */
const PROBES = new Set(['/livez', '/healthz', '/metrics']);

/** Files of `loupe artifact push`, one or some together, of which there are as many as the folder has. */
function isFileOfPush(request: HttpRequest): boolean {
  return request.method === 'PUT' && /^\/api\/artifact-pushes\/[^/]+\/blobs(\/|$)/.test(pathOf(request));
}

/** Finds out who a request comes from, and puts it on the request; guards decide what follows from it. */
@Injectable()
export class AuthenticateRequest implements NestMiddleware {
  constructor(
    private readonly configuration: Configuration,
    private readonly sessions: ResolveActorFromSession,
    private readonly tokens: AccessTokens,
    private readonly limits: RequestLimits,
    private readonly pages: PageSender,
  ) {}

  async use(request: HttpRequest, response: HttpResponse, next: NextFunction): Promise<void> {
    const facts = {
      traceId: request.traceId ?? randomUUID(),
      ip: request.ip ?? null,
      channel: channelOfPath(pathOf(request), request.headers.authorization !== undefined),
    };
    await withRequestFacts(facts, async () => {
      try {
        request.loupe = await this.identify(request);
      } catch (error) {
        this.answer(error, request, response);
        return;
      }
      next();
    });
  }

  /** While the database is away people get a page, programs get what the global filter says. */
  private answer(error: unknown, request: HttpRequest, response: HttpResponse): void {
    const path = pathOf(request);
    const forProgram = ['/api', '/oauth/token', '/oauth/revoke'].some((door) => isUnder(path, door));
    if (forProgram || !(error instanceof DomainError) || !request.accepts('html')) throw error;
    const { retryAfterSeconds } = error.detail;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    this.pages.send(response, errorPage({ status: statusOf(error), sentence: error.message }));
  }

  private async identify(request: HttpRequest): Promise<RequestIdentity> {
    const { authorization } = request.headers;
    // A request that names a credential means that one: the cookie of the browser must not stand in for it.
    if (authorization !== undefined) {
      if (isUnder(pathOf(request), '/api'))
        await this.limits.count({
          sessionId: null,
          ip: request.ip ?? null,
          fileOfPush: isFileOfPush(request),
        });
      return this.byToken(request, authorization);
    }
    if (PROBES.has(pathOf(request))) return {};
    const cookie = parseCookie(request.headers.cookie ?? '')[
      cookieName('session', this.configuration.isHttps)
    ];
    const resolved = cookie ? await this.sessions.execute(cookie) : null;
    if (isUnder(pathOf(request), '/api')) {
      await this.limits.count({ sessionId: resolved?.actor.sessionId ?? null, ip: request.ip ?? null });
    }
    if (!resolved) return {};
    const { actor, csrfToken, authTime } = resolved;
    return { person: { actor, session: { id: actor.sessionId, csrfToken, authTime } } };
  }

  private async byToken(request: HttpRequest, authorization: string): Promise<RequestIdentity> {
    // Other doors look at credentials themselves: `/mcp`, metrics, git.
    const path = pathOf(request);
    if (!isUnder(path, '/api')) return {};
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (!token) return {};
    const agentSessionId = request.get('loupe-session-id') ?? '';
    const connection = await this.tokens.actorOf({
      token,
      path,
      ip: request.ip ?? null,
      projectId: request.get('loupe-project-id') ?? null,
      agentSessionId: AGENT_SESSION_ID.test(agentSessionId) ? agentSessionId : null,
    });
    return connection ? { connection } : { bearerFailure: 'invalid_token' };
  }
}

/** The path as it was asked for: inside of a middleware `request.path` is what is left below its mount. */
function pathOf(request: HttpRequest): string {
  return request.originalUrl.split('?')[0]!;
}

function channelOfPath(path: string, withCredential: boolean): Channel {
  if (isUnder(path, '/oauth')) return 'oauth';
  return withCredential ? 'api' : 'web';
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
