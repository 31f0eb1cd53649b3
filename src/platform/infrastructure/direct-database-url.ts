import type { Configuration } from '#libs/configuration/configuration.js';
import type { Database } from '#libs/persistence/database.js';

/**
 * Address of the database server itself, past any pooler: for signals, advisory locks of sessions, and the queue. The
 * embedded server has no variable, so its address is that of the running connection.
 */
export function directDatabaseUrl(configuration: Configuration, database: Database): string {
  const { url } = database.source.options as { readonly url?: string };
  const direct = configuration.values.databaseDirectUrl ?? url;
  if (!direct) throw new Error('The database has no address.');
  return direct;
}
