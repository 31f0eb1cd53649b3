import type { Command } from 'commander';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { reseal } from '#libs/persistence/sealed-columns.js';
import { sealedColumns } from '../../../sealed-columns.js';
import { actor, withAnyKey, withProduct } from '../surroundings.js';
import { say, times } from '../words.js';

/** Commands about the keys that secrets are sealed with. */
export function addSecretsCommands(program: Command): void {
  program
    .command('secrets:reencrypt')
    .description(
      'seal stored secrets anew with APP_ENCRYPTION_KEY; older keys are read from APP_ENCRYPTION_KEYS_OLD',
    )
    .option('--give-up-unreadable', 'drop what no known key opens, for when a key is lost; cannot be undone')
    .action(async (options: { giveUpUnreadable?: boolean }) => {
      const giveUpUnreadable = options.giveUpUnreadable ?? false;
      const done = await withAnyKey(({ database, configuration }) =>
        reseal(database, new DerivedSecretBox(configuration), sealedColumns, { giveUpUnreadable }),
      );
      for (const { name, resealed, unreadable } of done) {
        if (resealed > 0) say(`Sealed anew: ${times(resealed, 'value')} of ${name}.`);
        if (unreadable > 0) {
          say(
            `${giveUpUnreadable ? 'Dropped' : 'No known key opens'} ${times(unreadable, 'value')} of ${name}.`,
          );
        }
      }
      const sum = (count: 'resealed' | 'unreadable') => done.reduce((total, one) => total + one[count], 0);
      const [resealed, unreadable] = [sum('resealed'), sum('unreadable')];
      if (resealed + unreadable === 0) say('Every stored secret is sealed with APP_ENCRYPTION_KEY.');
      if (unreadable > 0 && !giveUpUnreadable) {
        process.exitCode = 1;
        return;
      }
      if (resealed + unreadable === 0) return;
      await withProduct(({ get, Audit }) =>
        get(Audit).record(actor, {
          operation: 'secrets.reencrypted',
          context: { resealed, dropped: unreadable },
        }),
      );
    });
}
