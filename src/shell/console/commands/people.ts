import type { Command } from 'commander';
import { askPassword } from '../arguments.js';
import { actor, withProduct } from '../surroundings.js';
import { say } from '../words.js';

/** Commands for when nobody can sign in, or as the admin that is needed. */
export function addPeopleCommands(program: Command): void {
  program
    .command('admin:create <email>')
    .description('make a verified admin, or promote and verify the account with this address')
    .option('--name <name>', 'display name')
    .option('--password <password>', 'password of a new account; asked for at a terminal, else made')
    .action(async (email: string, options: { name?: string; password?: string }) => {
      const password = options.password ?? (await askPassword());
      const made = await withProduct(({ get, CreateAdmin }) =>
        get(CreateAdmin).execute(actor, { email, name: options.name, password }),
      );
      const lines = {
        created: 'Created the admin',
        promoted: 'Made an admin of',
        already: 'Already an admin:',
      };
      say(`${lines[made.outcome]} ${email}.`);
      if (made.madePassword) say(`Password, shown once: ${made.madePassword}`);
    });

  program
    .command('user:promote <email>')
    .description('make an admin of an account')
    .action(async (email: string) => {
      const { changed } = await withProduct(({ get, PromotePerson }) =>
        get(PromotePerson).execute(actor, { email }),
      );
      say(changed ? `${email} is an admin now.` : `${email} is already an admin.`);
    });

  program
    .command('user:verify <email>')
    .description('mark the address of an account as verified')
    .action(async (email: string) => {
      const { changed } = await withProduct(({ get, ForceVerifyPerson }) =>
        get(ForceVerifyPerson).execute(actor, { email }),
      );
      say(changed ? `${email} is verified now.` : `${email} is already verified.`);
    });
}
