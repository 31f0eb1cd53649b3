import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccountProject, accountOf, projectLines } from '../core/account.js';
import { choose, confirm } from '../core/ask.js';
import { writeAtomically } from '../core/atomic-file.js';
import { claudeMcp, type Declaration, declarations } from '../core/claude-code.js';
import { CommandContext } from '../core/context.js';
import { ExitCode } from '../core/exit-codes.js';
import { codeOf, Failure, failed } from '../core/failure.js';
import { lifecycleProfile } from '../core/lifecycle-profile.js';
import { withLoupeServer } from '../core/mcp-json.js';
import { PROJECT_FILE } from '../core/project-file.js';

export interface LinkOptions {
  readonly project?: string;
  readonly force?: boolean;
  readonly mcp?: boolean;
  readonly mcpJson?: boolean;
}

type Step = 'written' | 'already' | 'kept';

/** `loupe project link`: names the project of this repository (`cli.md` 5.2). */
export async function projectLink(context: CommandContext, options: LinkOptions): Promise<void> {
  const { terminal } = context;
  const api = context.api();
  const { projects } = accountOf(await api.call('/api/me'), api.url);
  const file = context.projectFile;
  const wanted = options.project === undefined ? null : CommandContext.projectId(options.project);
  const linked = file.kind === 'good' ? file.project : null;
  if (file.kind === 'broken' && !options.force) {
    throw failed(`${PROJECT_FILE} is broken (${file.why})`, 'mend it, or run this again with --force');
  }
  if (linked !== null && wanted !== null && linked !== wanted && !options.force) {
    throw failed(`${PROJECT_FILE} names the project ${linked}`, 'run this again with --force to replace it');
  }
  const project = await chosen(
    context,
    projects,
    wanted ?? (options.force && wanted === null ? null : linked),
  );

  const steps: Record<string, Step> = {};
  steps[PROJECT_FILE] = linked === project.id ? 'already' : 'written';
  if (steps[PROJECT_FILE] === 'written') {
    writeAtomically(join(context.folder, PROJECT_FILE), `project: ${project.id}\n`, 0o644);
  }
  steps['.loupe/lifecycle.md'] = writeProfile(context.folder);
  if (options.mcpJson) steps['.mcp.json'] = addToMcpJson(join(context.folder, '.mcp.json'));
  for (const [name, step] of Object.entries(steps)) terminal.result(`${name}: ${step}`);
  terminal.result(`This repository belongs to ${project.name} (${project.slug}).`);
  const claude = await connectClaudeCode(context, options);
  terminal.report({ project, files: steps, claudeCode: claude });
}

async function chosen(
  context: CommandContext,
  projects: readonly AccountProject[],
  wanted: string | null,
): Promise<AccountProject> {
  const found = projects.find(({ id }) => id === wanted);
  if (found) return found;
  if (wanted !== null) {
    throw new Failure(
      ExitCode.noProject,
      `this sign-in does not cover the project ${wanted}`,
      projects.length === 0 ? 'ask its owner for membership' : `it covers\n${projectLines(projects)}`,
    );
  }
  if (projects.length === 0) {
    throw new Failure(
      ExitCode.noProject,
      'this sign-in covers no project',
      'make one in the browser, then run this again',
    );
  }
  if (projects.length === 1) return projects[0]!;
  if (!context.terminal.asks) {
    throw new Failure(
      ExitCode.noProject,
      `this sign-in covers ${projects.length} projects`,
      `name one with --project\n${projectLines(projects)}`,
    );
  }
  const names = projects.map(({ name, slug }) => `${name} (${slug})`);
  return projects[await choose('Which project does this repository belong to?', names)]!;
}

function writeProfile(folder: string): Step {
  const path = join(folder, '.loupe', 'lifecycle.md');
  if (existsSync(path)) return 'kept';
  try {
    mkdirSync(join(folder, '.loupe'), { recursive: true });
  } catch (error) {
    throw failed(`cannot make ${join(folder, '.loupe')} (${codeOf(error)})`, 'make the folder writable');
  }
  writeAtomically(path, lifecycleProfile(folder), 0o644);
  return 'written';
}

function addToMcpJson(path: string): Step {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
  const after = withLoupeServer(before);
  if (after === before) return 'already';
  writeAtomically(path, after, 0o644);
  return 'written';
}

/** Offers the declaration of `loupe mcp`; a foreign one goes only after a person has said so. */
async function connectClaudeCode(context: CommandContext, options: LinkOptions): Promise<string> {
  const { terminal } = context;
  const found = declarations(context.folder, context.environment);
  const [first] = found;
  const ofFile = found.find(({ scope }) => scope === 'project');
  if (ofFile && first && first !== ofFile) {
    terminal.note(
      `.mcp.json is hidden by the ${first.scope} declaration of Claude Code, which starts: ${first.command}`,
    );
  }
  if (first?.isOurs) {
    terminal.note(`Claude Code already starts \`loupe mcp\` (${first.scope}).`);
    return 'already';
  }
  if (first && !(await removed(context, first))) return 'foreign';
  const yes =
    options.mcp ??
    (terminal.asks && (await confirm('Add `loupe mcp` to Claude Code for all your repositories?')));
  if (!yes) return 'skipped';
  return added(context);
}

async function removed(context: CommandContext, declaration: Declaration): Promise<boolean> {
  const { terminal } = context;
  const { scope, command } = declaration;
  terminal.say(`Claude Code starts "loupe" (${scope}) as: ${command}`);
  if (!terminal.asks) {
    terminal.say(`It stays. To remove it: claude mcp remove --scope ${scope} loupe`);
    return false;
  }
  if (!(await confirm('Remove that declaration?'))) return false;
  const done = await claudeMcp(['remove', '--scope', scope, 'loupe'], context.folder, context.environment);
  if (!done?.ok) throw failed('the declaration could not be removed', 'see `claude mcp list`', done?.output);
  return true;
}

async function added(context: CommandContext): Promise<string> {
  const args = ['add', '--scope', 'user', 'loupe', '--', 'loupe', 'mcp'];
  const done = await claudeMcp(args, context.folder, context.environment);
  if (done === null) {
    context.terminal.note('There is no `claude` on the PATH, so nothing was added to it.');
    return 'missing';
  }
  if (!done.ok)
    throw failed(
      'Claude Code did not take the declaration',
      `run: claude mcp ${args.join(' ')}`,
      done.output,
    );
  context.terminal.result('Claude Code now starts `loupe mcp`. Restart it.');
  return 'added';
}
