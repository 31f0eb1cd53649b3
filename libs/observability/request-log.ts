import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Channel } from '#libs/kernel/actor.js';
import { withRequestFacts } from '#libs/kernel/request-context.js';
import type { Metrics } from './metrics.js';

const TRACE_ID = /^[A-Za-z0-9-]{1,64}$/;
const QUIET = new Set(['/livez', '/healthz', '/metrics']);

/**
 * Gives each request its trace id and facts, counts it, and writes one line when it is answered. Bodies, tokens and
 * query strings are never written.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const started = process.hrtime.bigint();
    const traceId = proxiedTraceId(request) ?? randomUUID();
    request.traceId = traceId;
    response.setHeader('Loupe-Trace-Id', traceId);
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const route = routeOf(request);
      const { method } = request;
      metrics.httpRequests.inc({ route, method, status: response.statusCode });
      metrics.httpDuration.observe({ route, method }, seconds);
      if (QUIET.has(route)) return;
      logger.info(
        {
          traceId,
          route,
          method,
          status: response.statusCode,
          durationMs: Math.round(seconds * 1e4) / 10,
          personId: request.loupe?.person?.actor.personId ?? request.loupe?.connection?.personId,
          connectionId: request.loupe?.connection?.connectionId,
          aborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    withRequestFacts({ traceId, ip: request.ip ?? null, channel: channelOfPath(request.path) }, next);
  };
}

function proxiedTraceId(request: Request): string | null {
  const given = request.get('x-request-id');
  if (!given || !TRACE_ID.test(given)) return null;
  const trusted = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return trusted(request.socket.remoteAddress ?? '', 0) ? given : null;
}

/** The pattern of the route, never the address itself: addresses hold ids and tokens. */
function routeOf(request: Request): string {
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  if (typeof pattern === 'string') return `${request.baseUrl}${pattern}`;
  if (request.originalUrl.startsWith('/mcp')) return '/mcp';
  if (request.originalUrl.startsWith('/oauth/'))
    return request.originalUrl.split(/[?#]/, 1)[0]!.split('/').slice(0, 3).join('/');
  return 'other';
}

function channelOfPath(path: string): Channel {
  if (path === '/mcp' || path === '/mcp/') return 'mcp';
  if (path.startsWith('/oauth/')) return 'oauth';
  return 'web';
}
