import type { Command } from 'commander';
import { actor, withProduct } from '../surroundings.js';
import { say, times } from '../words.js';

/** What workers do by the clock, or a release asks for once. */
export function addUpkeepCommands(program: Command): void {
  program
    .command('audit:purge')
    .description('delete audit records past their retention')
    .action(async () => {
      const { purged } = await withProduct(({ get, PurgeAudit }) => get(PurgeAudit).execute(actor));
      say(`Deleted ${purged} audit records.`);
    });

  program
    .command('exports:purge')
    .description('delete data exports past their time')
    .action(async () => {
      const { deleted } = await withProduct(({ get, ExpireExports }) => get(ExpireExports).execute(actor));
      say(`Deleted ${times(deleted, 'export')}.`);
    });

  program
    .command('oauth:purge')
    .description('delete codes, tokens and requests of apps that have expired')
    .action(async () => {
      const deleted = await withProduct(({ get, PurgeArtefacts }) => get(PurgeArtefacts).run());
      say(
        `Deleted ${times(deleted, 'expired code, token or request', 'expired codes, tokens and requests')}.`,
      );
    });

  program
    .command('documents:rerender')
    .description('render stored texts anew, so that the sanitiser of this release holds for old ones too')
    .action(async () => {
      const { versions, remarks, left } = await withProduct(({ get, RerenderDocuments }) =>
        get(RerenderDocuments).execute(actor),
      );
      say(`Rewrote ${versions.rewritten} of ${times(versions.seen, 'version')} of documents.`);
      say(
        `Rewrote ${remarks.rewritten} of ${times(remarks.seen, 'comment, note or finding', 'comments, notes and findings')}.`,
      );
      for (const { documentId, version } of left) {
        say(
          `Left as it is, because its text or headings would change: document ${documentId}, version ${version}.`,
        );
      }
    });
}
