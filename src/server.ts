import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from '#libs/configuration/configuration.js';
import { createLogger, JsonLogger } from '#libs/observability/json-logger.js';
import { Draining } from '#libs/observability/health.controller.js';
import { Database } from '#libs/persistence/database.js';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { migrate, pendingMigrations } from '#libs/persistence/migrations.js';
import { EnsureFirstAdmin } from './identity/application/commands/ensure-first-admin.js';
import { Installation } from './identity/application/installation.js';
import { AppModule } from './app.module.js';
import { foreignMigrations } from './foreign-migrations.js';
import { configureHttp } from './http.js';

/** Time for load balancers to see that `/healthz` has turned, in `prod` only. */
const DRAIN_MILLISECONDS = 5_000;

export interface RunningServer {
  readonly app: INestApplication;
  readonly configuration: Configuration;
  readonly installed: boolean;
  /** Stops taking requests, ends running work, and leaves the database. */
  stop(): Promise<void>;
}

/** A start that cannot go on for a reason that the operator can mend. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Opens the database, brings its schema up to date where this profile does so, and serves.
 * @throws StartError in plain words: the database is away, the schema is older than this release, the port is taken.
 */
export async function startServer(given: Configuration): Promise<RunningServer> {
  const logger = createLogger(given.values.logLevel);
  const opened = await openDatabase(given, (line) => logger.info(line));
  const { configuration } = opened;
  let app: NestExpressApplication | null = null;
  try {
    app = await NestFactory.create<NestExpressApplication>(
      AppModule.with(configuration, opened.database),
      { logger: new JsonLogger(logger), bodyParser: false, abortOnError: false, forceCloseConnections: true },
    );
    configureHttp(app, logger);
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
        if (configuration.values.profile === 'prod') await new Promise((done) => setTimeout(done, DRAIN_MILLISECONDS));
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

interface OpenedDatabase {
  readonly configuration: Configuration;
  readonly database: Database;
  close(): Promise<void>;
}

async function openDatabase(configuration: Configuration, log: (line: string) => void): Promise<OpenedDatabase> {
  const { values } = configuration;
  const embedded = values.databaseUrl
    ? null
    : await acquireEmbeddedPostgres({ varDir: values.varDir, durable: values.profile !== 'test', log }).catch((error: Error) => {
        throw new StartError(error.message);
      });
  const complete = embedded ? configuration.withDatabase(embedded.url) : configuration;
  const { databaseUrl, databaseDirectUrl, databasePool, profile, role } = complete.values;
  try {
    if (profile !== 'prod' || embedded) {
      for (const name of await migrate(databaseDirectUrl!, foreignMigrations)) log(`Migrated: ${name}`);
    } else {
      const pending = await pendingMigrations(databaseDirectUrl!);
      if (pending.length > 0) {
        throw new StartError(
          `The database is older than this release needs. Run "loupe-server migrate" first. Pending: ${pending.join(', ')}.`,
        );
      }
    }
    const database = await Database.connect({ url: databaseUrl!, pool: databasePool, applicationName: `loupe-${role}` });
    return {
      configuration: complete,
      database,
      close: async () => {
        await database.close();
        await embedded?.release();
      },
    };
  } catch (error) {
    await embedded?.release();
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') {
      throw new StartError('The database at DATABASE_URL cannot be reached. Start it, or check the address.');
    }
    throw error;
  }
}

async function listen(app: INestApplication, { values }: Configuration): Promise<void> {
  if (values.role === 'worker') return;
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
