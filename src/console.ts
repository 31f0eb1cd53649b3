#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { version } from '#libs/configuration/version.js';
import { addDatabaseCommands } from './shell/console/commands/database.js';
import { addPeopleCommands } from './shell/console/commands/people.js';
import { addRestoreCommands } from './shell/console/commands/restore.js';
import { addSampleCommands } from './shell/console/commands/samples.js';
import { addSecretsCommands } from './shell/console/commands/secrets.js';
import { addSettingsCommands } from './shell/console/commands/settings.js';
import { addUpkeepCommands } from './shell/console/commands/upkeep.js';
import { addWorkCommands } from './shell/console/commands/work.js';

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

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
