import type { Command } from 'commander';
import { actor, withProduct } from '../surroundings.js';
import { say } from '../words.js';

/** Commands that look at a running instance and change its flags. */
export function addSettingsCommands(program: Command): void {
  program
    .command('health:status')
    .description('run all checks; exits 1 when one has failed')
    .option('--strict', 'exit 1 on a warning too')
    .action(async (options: { strict?: boolean }) => {
      const { checks } = await withProduct(({ get, GetStatus }) => get(GetStatus).execute(actor, null));
      for (const { name, state, sentence } of checks) say(`${state.padEnd(8)} ${name}: ${sentence}`);
      const bad = options.strict ? ['failed', 'warning'] : ['failed'];
      if (checks.some((check) => bad.includes(check.state))) process.exitCode = 1;
    });

  program
    .command('flags:list')
    .description('list every flag with its value')
    .action(async () => {
      const { flags } = await withProduct(({ get, ListFlags }) => get(ListFlags).execute(actor));
      for (const { name, value, isDefault } of flags) {
        say(`${name} = ${JSON.stringify(value)}${isDefault ? '' : ' (changed)'}`);
      }
    });

  program
    .command('flags:set <name> <value>')
    .description('change a flag')
    .action(async (name: string, given: string) => {
      const value =
        given === 'true' ? true : given === 'false' ? false : /^-?\d+$/.test(given) ? Number(given) : given;
      const { changed } = await withProduct(({ get, SetFlag }) =>
        get(SetFlag).execute(actor, { name, value }),
      );
      say(changed ? `${name} is ${given} now.` : `${name} is already ${given}.`);
    });
}
