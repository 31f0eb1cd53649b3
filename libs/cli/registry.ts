import { type Command, Option } from 'commander';
import type { Bind } from './command-binding.js';
import type { ListOptions } from './commands/artifact-list.js';
import type { OpenOptions } from './commands/artifact-open.js';
import type { PushOptions } from './commands/artifact-push.js';
import type { LinkOptions } from './commands/project-link.js';
import type { StatusOptions } from './commands/status.js';

/** Sign-in, check and the program itself. Each command's code is loaded when it runs. */
export function setupCommands(program: Command, bind: Bind): void {
  bind(
    program.command('login').description('sign in by a code that you confirm in a browser'),
    async () => (await import('./commands/login.js')).login,
  );
  bind<{ all?: boolean }>(
    program.command('logout').description('forget the sign-in').option('--all', 'of every Loupe'),
    async () => (await import('./commands/logout.js')).logout,
  );
  bind<StatusOptions>(
    program
      .command('status')
      .description('check the setup with one real call')
      .option('--project <uuid>', 'check with this project'),
    async () => (await import('./commands/status.js')).status,
  );
  bind(
    program.command('version').description('version of this program and of Node.js'),
    async () => (await import('./commands/version.js')).version,
  );
}

export function projectCommands(program: Command, bind: Bind): void {
  const project = program.command('project').description('the project of this repository');
  bind<LinkOptions>(
    project
      .command('link')
      .description('name the project of this repository in .loupe.yaml')
      .option('--project <uuid>', 'the project; asked for when there are several')
      .option('--force', 'replace an existing .loupe.yaml')
      .addOption(new Option('--mcp', 'add `loupe mcp` to Claude Code without asking'))
      .addOption(new Option('--no-mcp', 'leave Claude Code alone').default(undefined))
      .option('--mcp-json', 'also write .mcp.json'),
    async () => (await import('./commands/project-link.js')).projectLink,
  );
}

export function mcpCommand(program: Command, bind: Bind): void {
  bind<{ project?: string }>(
    program
      .command('mcp')
      .description('MCP server on stdin and stdout, for an agent')
      .option('--project <uuid>', 'the project; .loupe.yaml is not read then'),
    async () => (await import('./commands/mcp.js')).mcp,
  );
}

export function artifactCommands(program: Command, bind: Bind): void {
  const artifact = program.command('artifact').description('artifacts of a project');
  bind<PushOptions>(
    artifact
      .command('push')
      .description('store a new version of an artifact')
      .argument('<file or folder>')
      .option('--project <uuid>', 'the project; else that of .loupe.yaml')
      .option('--name <name>', 'name of a new artifact')
      .option('--artifact <id>', 'store into this artifact')
      .option('--new', 'make a new artifact, whatever .loupe/artifacts.yaml says')
      .option('--notes <text>', 'what changed')
      .option('--card <number>', 'link a card; may be repeated', collect, [])
      .option('--workspace <id or name>', 'workspace of a new artifact')
      .option('--entry <path>', 'the page that opens first')
      .option('--raw', 'store canvases as they are')
      .option('--keep-source', 'store the sources of canvases under source/')
      .option('--dry-run', 'say what would be sent, and send nothing'),
    async () => (await import('./commands/artifact-push.js')).artifactPush,
  );
  bind<ListOptions>(
    artifact
      .command('list')
      .description('artifacts of the project')
      .option('--project <uuid>', 'the project; else that of .loupe.yaml')
      .option('--search <text>', 'part of the name')
      .option('--archived', 'archived ones too')
      .option('--page <number>', 'page of the list', '1'),
    async () => (await import('./commands/artifact-list.js')).artifactList,
  );
  bind<OpenOptions>(
    artifact
      .command('open')
      .description('open the page of an artifact in the browser')
      .argument('<id>')
      .option('--project <uuid>', 'the project; else that of .loupe.yaml'),
    async () => (await import('./commands/artifact-open.js')).artifactOpen,
  );
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
