import type { Command } from 'commander';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { pendingMigrations } from '#libs/persistence/migrations.js';
import { WRONG_KEY } from '../../../open-database.js';
import { findKey } from '../../../platform/infrastructure/key-sentinel.js';
import { whole } from '../arguments.js';
import { actor, withAnyKey, withDatabaseUrl, withProduct } from '../surroundings.js';
import { say, times } from '../words.js';

/** The check of a restore before its first start. */
export function addRestoreCommands(program: Command): void {
  program
    .command('restore:check')
    .description(
      'after a restore, before the start: is everything there, and what would the first worker send?',
    )
    .option('--sample <count>', 'how many stored files are read and compared', whole, 1000)
    .action(async ({ sample }: { sample: number }) => {
      const started = new Date();
      const failed = (line: string): void => {
        say(`failed   ${line}`);
        process.exitCode = 1;
      };
      const pending = await withDatabaseUrl((url) => pendingMigrations(url));
      if (pending.length > 0) {
        return failed(
          `Migrations: ${pending.length} are pending, or nothing has been restored yet. Run "loupe-server migrate".`,
        );
      }
      say('ok       Migrations: the schema is up to date.');
      const key = await withAnyKey(({ database, configuration }) =>
        findKey(database, new DerivedSecretBox(configuration)),
      );
      if (key === 'wrong') return failed(`Encryption key: ${WRONG_KEY}`);
      if (key === 'unset') {
        return failed(
          'Encryption key: the database has never been used, so nothing has been restored into it.',
        );
      }
      say('ok       Encryption key: it opens what is stored.');
      await withProduct(async ({ get, CheckStoredFiles, GetWaitingWork }) => {
        const files = await get(CheckStoredFiles).execute(actor, { sample });
        for (const { key: blob, artifactIds } of files.damaged) {
          failed(
            `Stored files: ${blob} is missing or damaged (artifacts: ${artifactIds.join(', ') || 'none'}).`,
          );
        }
        for (const blob of files.missingBundles) failed(`Packed repositories: ${blob} is missing.`);
        if (files.damaged.length === 0) {
          say(`ok       Stored files: ${files.checked} of ${files.total} read, all whole.`);
        }
        const { events, mails, missingArchives } = await get(GetWaitingWork).execute(actor);
        if (missingArchives > 0) {
          say(
            `note     Exports: the archives of ${missingArchives} did not come back. Their people ask for new ones.`,
          );
        }
        if (events + mails === 0) {
          say('ok       Waiting work: no event and no mail waits from before.');
        } else {
          const before = started.toISOString();
          say(`note     Waiting work: ${times(events, 'event')} and ${times(mails, 'mail')} of before.`);
          say(
            '         The first worker delivers the events and sends the mails, perhaps for a second time.',
          );
          say(`         To drop the mails: loupe-server events:discard --before ${before} --mails-only`);
        }
      });
      say(process.exitCode === 1 ? 'The restore is not complete.' : 'The restore is complete.');
    });
}
