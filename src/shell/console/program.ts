import { Command } from 'commander';
import { version } from '#libs/configuration/version.js';
import { addDatabaseCommands } from './commands/database.js';
import { addPeopleCommands } from './commands/people.js';
import { addRestoreCommands } from './commands/restore.js';
import { addSampleCommands } from './commands/samples.js';
import { addSecretsCommands } from './commands/secrets.js';
import { addSettingsCommands } from './commands/settings.js';
import { addUpkeepCommands } from './commands/upkeep.js';
import { addWorkCommands } from './commands/work.js';

/** The console of an instance with all its commands. */
export function consoleProgram(): Command {
  const program = new Command('loupe-server')
    .description('Operates an instance of Loupe. Every command reads the same environment as the server.')
    .version(version)
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText(
      'after',
      `
Commands end with 0 when they did what they say, and with 1 when not. All are safe beside a running server, and safe to
repeat; what cannot be undone says so. "loupe-server <command> --help" shows the options of one.`,
    );

  addDatabaseCommands(program);
  addPeopleCommands(program);
  addSettingsCommands(program);
  addWorkCommands(program);
  addUpkeepCommands(program);
  addSecretsCommands(program);
  addRestoreCommands(program);
  addSampleCommands(program);
  return program;
}
