import type { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { Database } from '#libs/persistence/database.js';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { migrate, pendingMigrations } from '#libs/persistence/migrations.js';
import { foreignMigrations } from './foreign-migrations.js';
import { settleKey } from './platform/infrastructure/key-sentinel.js';

/** A start that cannot go on for a reason that the operator can mend. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** A database that is open, with the configuration that names it. */
export interface OpenedDatabase {
  readonly configuration: Configuration;
  readonly database: Database;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  /** For commands that look at the key themselves. */
  readonly anyKey?: boolean;
}

export const WRONG_KEY =
  'APP_ENCRYPTION_KEY is not the key that this database was used with, so stored secrets cannot be read. Set that key, ' +
  'or add it to APP_ENCRYPTION_KEYS_OLD. If it is lost for good, "loupe-server secrets:reencrypt --give-up-unreadable" drops what it sealed.';

/**
 * Opens the database of this environment: starts the embedded one where needed, and brings the schema up to date in the
 * profiles that do so at the start.
 * @throws StartError when the database is away, its schema is older than this release, or its secrets were sealed with
 * another key.
 */
export async function openDatabase(
  configuration: Configuration,
  log: (line: string, level?: 'warn') => void,
  options: OpenDatabaseOptions = {},
): Promise<OpenedDatabase> {
  const { values } = configuration;
  const embedded = values.databaseUrl
    ? null
    : await acquireEmbeddedPostgres({ varDir: values.varDir, durable: values.profile !== 'test', log }).catch(
        (error: Error) => {
          throw new StartError(error.message);
        },
      );
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
    const database = await Database.connect({
      url: databaseUrl!,
      pool: databasePool,
      applicationName: `loupe-${role}`,
      prepared: databaseUrl === databaseDirectUrl,
    });
    if (!options.anyKey && (await settleKey(database, new DerivedSecretBox(complete))) === 'wrong') {
      await database.close();
      throw new StartError(WRONG_KEY);
    }
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
