import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from '#libs/configuration/configuration.js';
import { Draining } from '#libs/observability/draining.js';
import { createLogger, JsonLogger } from '#libs/observability/json-logger.js';
import { ProbeListener } from '#libs/observability/probe-listener.js';
import { AppModule } from './app.module.js';
import { configureHttp, httpAdapter } from './http.js';
import { EnsureFirstAdmin } from './identity/application/commands/ensure-first-admin.js';
import { Installation } from './identity/application/installation.js';
import { openDatabase, StartError } from './open-database.js';
import { LiveStreams } from './platform/application/live-streams.js';
import { PlatformRuntime } from './platform/infrastructure/platform-runtime.js';
import { RunningRequests } from './running-requests.js';
import { McpExchange } from './shell/mcp/mcp-exchange.js';

/** Time for load balancers to see that `/healthz` has turned, in `prod` only. */
const DRAIN_MILLISECONDS = 5_000;
/** Time for running requests to end; supervisors wait 75 s before they kill. */
const REQUESTS_MILLISECONDS = 60_000;
/**
 * Longer than proxies keep an idle connection (60 s is usual): whoever closes first, while the other one sends, makes a
 * request fail that cannot be sent twice.
 */
const IDLE_CONNECTION_MILLISECONDS = 75_000;

export interface RunningServer {
  readonly app: INestApplication;
  readonly configuration: Configuration;
  readonly installed: boolean;
  /** Stops taking requests, ends running work, and leaves the database. */
  stop(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date where this profile does so, and serves.
 * @throws StartError in plain words: the database is away, the schema is older than this release, the port is taken.
 */
export async function startServer(given: Configuration): Promise<RunningServer> {
  const logger = createLogger(given.values.logLevel);
  const opened = await openDatabase(given, (line, level) => logger[level ?? 'info'](line));
  const { configuration } = opened;
  let app: NestExpressApplication | null = null;
  try {
    const module = AppModule.with(configuration, opened.database);
    app = await NestFactory.create<NestExpressApplication>(module, httpAdapter(), {
      logger: new JsonLogger(logger),
      bodyParser: false,
      abortOnError: false,
      forceCloseConnections: true,
    });
    configureHttp(app, logger);
    const httpServer: Server = app.getHttpServer();
    httpServer.keepAliveTimeout = IDLE_CONNECTION_MILLISECONDS;
    const requests = new RunningRequests(httpServer);
    await app.init();
    await app.get(EnsureFirstAdmin, { strict: false }).execute();
    const installed = await app.get(Installation, { strict: false }).isDone();
    await listen(app, configuration);
    const running = app;
    return {
      app,
      configuration,
      installed,
      stop: async () => {
        running.get(Draining, { strict: false }).active = true;
        requests.sendElsewhere();
        if (configuration.values.profile === 'prod')
          await new Promise((done) => setTimeout(done, DRAIN_MILLISECONDS));
        running.getHttpServer().close();
        // Streams never end by themselves, and the framework would cut off what still runs.
        running.get(LiveStreams, { strict: false }).stop();
        running.get(McpExchange, { strict: false }).endStreams();
        // Requests and jobs end side by side, so that a stop takes no longer than the slower of them.
        await Promise.all([
          requests.ended(REQUESTS_MILLISECONDS),
          running.get(PlatformRuntime, { strict: false }).stopWorking(),
        ]);
        await running.close();
        await opened.close();
      },
    };
  } catch (error) {
    await app?.close().catch(() => undefined);
    await opened.close();
    throw error;
  }
}

async function listen(app: INestApplication, { values }: Configuration): Promise<void> {
  if (values.role === 'worker') return listenForProbes(app.get(ProbeListener, { strict: false }), values);
  try {
    await app.listen(values.port, values.host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${values.port} is in use, perhaps by another Loupe. Stop that one, or set PORT to a free port.`,
      );
    }
    throw error;
  }
}

/** A worker serves nobody, so its supervisor and Prometheus get a port of their own, where one is wanted. */
async function listenForProbes(
  probes: ProbeListener,
  { workerPort, workerHost }: Configuration['values'],
): Promise<void> {
  if (workerPort === null) return;
  try {
    await probes.listen(workerPort, workerHost);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${workerPort} is in use, perhaps by another worker. Set WORKER_PORT to a free port.`,
      );
    }
    throw error;
  }
}
