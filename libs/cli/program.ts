import { Command, CommanderError } from 'commander';
import type { Bind } from './command-binding.js';
import { CommandContext, type GlobalFlags, type World } from './core/context.js';
import { ExitCode } from './core/exit-codes.js';
import { Failure, reasonOf, wrongUse } from './core/failure.js';
import { nearest } from './core/nearest.js';
import { Terminal } from './core/terminal.js';
import { artifactCommands, mcpCommand, projectCommands, setupCommands } from './registry.js';

/** Runs the program. @returns the exit code; nothing is thrown. */
export async function run(args: readonly string[], world: World): Promise<ExitCode> {
  let code: ExitCode = ExitCode.done;
  const program = new Command('loupe');
  const bind: Bind = (command, load) => {
    command.action(async (...given: unknown[]) => {
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word) => typeof word === 'string');
      const flags = command.optsWithGlobals();
      const action = await load();
      const ended = await action(new CommandContext(flags as GlobalFlags, world), flags as never, words);
      if (typeof ended === 'number') code = ended as ExitCode;
    });
  };
  declareGlobals(program);
  setupCommands(program, bind);
  projectCommands(program, bind);
  mcpCommand(program, bind);
  artifactCommands(program, bind);
  strictly(program, world);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return failureOf(error, program, args, world);
  }
}

function declareGlobals(program: Command): void {
  program
    .description('Joins this machine to Loupe.')
    .option('--url <instance>', 'address of the Loupe to talk to')
    .option('--config-dir <dir>', 'folder of the sign-in and of all state')
    .option('--json', 'one JSON object on stdout where a command prints a report')
    .option('--no-input', 'never ask; a needed answer is exit 2')
    .option('--quiet', 'say only results and errors')
    .option('--debug', 'HTTP lines and details of errors on stderr')
    .helpCommand('help [command]', 'what a command does');
}

/** Every command of the tree throws instead of ending the process, and writes to our streams. */
function strictly(command: Command, world: World): void {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: () => undefined,
    });
  for (const child of command.commands) strictly(child, world);
}

function failureOf(error: unknown, program: Command, args: readonly string[], world: World): ExitCode {
  const flags = program.opts<GlobalFlags>();
  const choices = {
    json: flags.json === true,
    quiet: flags.quiet === true,
    debug: flags.debug === true || args.includes('--debug'),
    noInput: flags.input === false,
  };
  const terminal = new Terminal(world.stdout, world.stderr, choices, world.environment);
  const failure = asFailure(error, program, args);
  if (failure === null) return ExitCode.done;
  terminal.fail(failure);
  return failure.exitCode;
}

function asFailure(error: unknown, program: Command, args: readonly string[]): Failure | null {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) {
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.help') {
      return error.exitCode === 0 ? null : wrongUse('no command is named', 'see `loupe help`');
    }
    return misuse(error, program, args);
  }
  const detail = error instanceof Error ? (error.stack ?? null) : null;
  return new Failure(ExitCode.failed, reasonOf(error), 'run it again with --debug for details', detail);
}

/** The sentence of Commander, with the command or flag that was probably meant. */
function misuse(error: CommanderError, program: Command, args: readonly string[]): Failure {
  const what = error.message
    .replace(/^error: /, '')
    .replace(/\.?\s*$/, '')
    .replace(/\s*\n\s*/g, ' ');
  const command = commandOf(program, args);
  const unknown = /unknown (command|option) '([^']+)'/.exec(what);
  const path = pathOf(command);
  if (!unknown) return wrongUse(what, `see \`${path} --help\``);
  const [, kind, word] = unknown;
  const meant = nearest(word!, kind === 'command' ? namesOf(command) : flagsOf(command));
  return wrongUse(
    what,
    meant ? `did you mean \`${kind === 'command' ? `${path} ${meant}` : meant}\`?` : `see \`${path} --help\``,
  );
}

function commandOf(program: Command, args: readonly string[]): Command {
  let at = program;
  for (const word of args) {
    const next = at.commands.find((command) => command.name() === word);
    if (next) at = next;
  }
  return at;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function namesOf(command: Command): string[] {
  return [...command.commands.map((child) => child.name()), ...(command.parent ? [] : ['help'])];
}

function flagsOf(command: Command): string[] {
  const own = [...command.options.map(({ long }) => long), '--help'].filter(
    (flag) => typeof flag === 'string',
  );
  return command.parent ? [...own, ...flagsOf(command.parent)] : own;
}
