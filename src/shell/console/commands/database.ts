import type { Command } from 'commander';
import { migrate, pendingMigrations } from '#libs/persistence/migrations.js';
import { foreignMigrations } from '../../../foreign-migrations.js';
import { withDatabaseUrl } from '../surroundings.js';
import { say } from '../words.js';

/** Commands about the schema and address of the database; they need nothing else of the product. */
export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema up to date; safe to run twice or at once')
    .action(async () => {
      const ran = await withDatabaseUrl((url) => migrate(url, foreignMigrations));
      say(ran.length === 0 ? 'The schema is up to date.' : ran.map((name) => `Migrated: ${name}`).join('\n'));
    });

  program
    .command('migrate:status')
    .description('list migrations that this release needs and the database lacks; exits 1 when there are any')
    .action(async () => {
      const pending = await withDatabaseUrl((url) => pendingMigrations(url));
      say(
        pending.length === 0
          ? 'The schema is up to date.'
          : pending.map((name) => `Pending: ${name}`).join('\n'),
      );
      if (pending.length > 0) process.exitCode = 1;
    });

  program
    .command('db:url')
    .description('print the address of the database, for pg_dump and psql')
    .action(async () => say(await withDatabaseUrl(async (url) => url)));
}
