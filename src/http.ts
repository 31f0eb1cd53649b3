import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import express, { type Express, static as files, json } from 'express';
import type { Logger } from 'pino';
import { Configuration } from '#libs/configuration/configuration.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { Metrics } from '#libs/observability/metrics.js';
import { requestLog } from '#libs/observability/request-log.js';
import { mountPreviews } from './artifacts/preview/preview.module.js';
import { PageSender } from './identity/interface/http/pages/page-sender.js';
import { mountAuthorizationServer } from './identity/oauth.bindings.js';
import { mountMcp } from './shell/mcp/mcp.module.js';
import { webFolder } from './shell/web/app-shell.js';
import { RefusalFilter } from './shell/web/refusal.filter.js';

const API_BODY_LIMIT = 4 * 1024 * 1024;
const YEAR_SECONDS = 31_536_000;

/**
 * The router under everything. An address has one spelling: guards, limits and logs that look at the path must see what
 * the router sees. The setting counts only before the framework touches the router.
 */
export function httpAdapter(): ExpressAdapter {
  const application = express();
  application.enable('case sensitive routing');
  return new SteadyExpressAdapter(application);
}

type Constructor = (this: object, ...given: unknown[]) => void;

/**
 * Express gives each request and response another prototype, after which they share their hidden class with no other:
 * every access to them is slow, and their garbage outlives the quick collections. Here they are made with the prototypes
 * that Express would give them, so that there is nothing left to change.
 */
class SteadyExpressAdapter extends ExpressAdapter {
  override initHttpServer(options: NestApplicationOptions): void {
    const application = this.getInstance<Express>();
    this.httpServer = createServer(
      {
        IncomingMessage: madeWith(application.request, IncomingMessage),
        ServerResponse: madeWith(application.response, ServerResponse),
      },
      application,
    );
    // biome-ignore lint/complexity/useLiteralKeys: the types call it private, and there is no other way to override this.
    if (options.forceCloseConnections) this['trackOpenConnections']();
  }
}

/** What `original` makes, with this prototype from the start. */
function madeWith<Original>(prototype: object, original: Original): Original {
  function Made(this: object, ...given: unknown[]): void {
    // The constructors of `node:http` are functions, not classes.
    (original as Constructor).apply(this, given);
  }
  Made.prototype = prototype;
  return Made as Original;
}

/** What stands before every controller, in this order. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  const { values } = app.get(Configuration);
  app.set('trust proxy', [...values.trustedProxies]);
  app.disable('x-powered-by');
  app.use(requestLog(logger, app.get(Metrics)));
  // Hosts of previews answer nothing else, so their door stands before all others.
  mountPreviews(app);
  app.use(
    '/assets',
    compression(),
    files(`${webFolder}/assets`, { index: false, setHeaders: setAssetHeaders, fallthrough: false }),
  );
  mountMcp(app);
  // The OAuth library parses its own bodies, so it stands before the parsers.
  mountAuthorizationServer(app);
  // Documents are long; answers that hold a secret (the CSRF token of the session) stay as they are, see BREACH.
  app.use(['/api/projects', '/docs'], compression());
  app.use('/api', json({ limit: API_BODY_LIMIT }));
  app.useGlobalPipes(inputPipe);
  app.useGlobalFilters(new RefusalFilter(app.get(PageSender)));
}

/** Names that hold a hash of their content never change; the few others are asked for again. */
function setAssetHeaders(response: { setHeader(name: string, value: string): unknown }, path: string): void {
  const hashed = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/.test(path);
  response.setHeader('Cache-Control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
}
