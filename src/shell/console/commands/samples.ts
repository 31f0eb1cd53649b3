import type { Command } from 'commander';
import { actor, environment, withProduct } from '../surroundings.js';
import { say } from '../words.js';

/** Sample data for a first look. */
export function addSampleCommands(program: Command): void {
  program
    .command('dev:seed')
    .description(
      'make sample data: a project with plans under review, cards and a prototype; refused with APP_ENV=prod',
    )
    .option(
      '--email <email>',
      'account that gets them; made as an admin when there is none',
      'demo@example.com',
    )
    .action(async (options: { email: string }) => {
      const { values } = environment();
      if (values.profile === 'prod') {
        throw new Error(
          'Sample data is refused with APP_ENV=prod. Try it on an instance of your own machine.',
        );
      }
      const made = await withProduct(({ get, CreateSampleData }) =>
        new CreateSampleData(get).execute(actor, options),
      );
      const address = `${values.defaultUri}/projects/${made.projectId}`;
      say(
        made.made
          ? `Made the project "Corner Shop" of ${made.email}: ${address}`
          : `${made.email} has the project "Corner Shop" already; nothing was changed: ${address}`,
      );
      if (made.madePassword)
        say(`Sign in as ${made.email} with the password, shown once: ${made.madePassword}`);
    });
}
