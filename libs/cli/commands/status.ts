import { type Account, accountOf } from '../core/account.js';
import { declarations } from '../core/claude-code.js';
import { codexDeclaration } from '../core/codex.js';
import { CommandContext } from '../core/context.js';
import { ExitCode } from '../core/exit-codes.js';
import { Failure, reasonOf } from '../core/failure.js';
import { PROJECT_FILE } from '../core/project-file.js';
import { VERSION } from '../core/version.js';
import { fits } from '../core/version-range.js';
import { currentProject } from '../mcp/one-call.js';

export type CheckState = 'ok' | 'note' | 'FAIL';

export interface Check {
  readonly name: string;
  readonly state: CheckState;
  readonly message: string;
  /** What to run next. */
  readonly fix: string | null;
}

type Checker = (context: CommandContext, options: StatusOptions) => Promise<Omit<Check, 'name'>>;

/** Checks of later parts of the program (bridge, skills, accounts) join this list. */
const CHECKS: readonly { readonly name: string; readonly run: Checker }[] = [
  { name: 'Instance', run: checkInstance },
  { name: 'Login', run: checkLogin },
  { name: 'Project', run: checkProject },
  { name: 'Claude Code', run: checkClaudeCode },
  { name: 'Codex', run: checkCodex },
];

const LIMIT_MS = 30_000;

export interface StatusOptions {
  readonly project?: string;
}

/** `loupe status`: checks the setup of this machine and repository with one real call (`cli.md` 5.5). */
export async function status(context: CommandContext, options: StatusOptions): Promise<ExitCode> {
  const { terminal } = context;
  const end = new Promise<never>((_, fail) => {
    const late = () =>
      fail(new Failure(ExitCode.unreachable, 'the check took longer than 30 s', 'try again later'));
    setTimeout(late, LIMIT_MS).unref();
  });
  const checks = await Promise.all(
    CHECKS.map(async ({ name, run }): Promise<Check> => {
      const found = await Promise.race([run(context, options), end]).catch(failing);
      return { name, ...found };
    }),
  );
  for (const { name, state, message, fix } of checks) {
    terminal.result(`${state.padEnd(4)} ${name}: ${message}${fix ? `. Next: ${fix}` : ''}`);
  }
  const ok = checks.every(({ state }) => state !== 'FAIL');
  terminal.report({ ok, checks });
  terminal.result(`loupe status: ${ok ? 'PASS' : 'FAIL'}`);
  return ok ? ExitCode.done : ExitCode.failed;
}

async function checkInstance(context: CommandContext): Promise<Omit<Check, 'name'>> {
  const { url } = context;
  if (url === null) return { state: 'FAIL', message: 'none is named', fix: '`loupe login --url <address>`' };
  const answer = await context.fetch(`${url}/cli/releases.json`, { signal: AbortSignal.timeout(10_000) });
  const body = (await answer.json().catch(() => null)) as { range?: unknown } | null;
  if (!answer.ok || typeof body?.range !== 'string' || body.range === '') {
    return { state: 'note', message: `${url} names no range of versions`, fix: null };
  }
  if (VERSION !== null && !fits(VERSION, body.range)) {
    return {
      state: 'FAIL',
      message: `${url} wants loupe ${body.range}, this is ${VERSION}`,
      fix: `\`curl -fsSL ${url}/install.sh | sh\``,
    };
  }
  return { state: 'ok', message: `${url} (loupe ${body.range})`, fix: null };
}

async function checkLogin(context: CommandContext): Promise<Omit<Check, 'name'>> {
  const { person, connection } = await account(context);
  const until = connection.expiresAt.slice(0, 10);
  return { state: 'ok', message: `${person.displayName}, until ${until}`, fix: null };
}

async function checkProject(context: CommandContext, options: StatusOptions): Promise<Omit<Check, 'name'>> {
  const named = options.project === undefined ? null : CommandContext.projectId(options.project);
  const project = named ?? context.linkedProject();
  const answer = await currentProject(context.signIn(), context.fetch, project);
  if ('refusal' in answer) {
    const { projects } = await account(context);
    const fix = projects.length === 0 ? 'make a project in the browser' : '`loupe project link`';
    return { state: 'FAIL', message: answer.refusal.replace(/[.\s]+$/, ''), fix };
  }
  const where = named ? '--project' : project ? PROJECT_FILE : 'the only one of this sign-in';
  return { state: 'ok', message: `${answer.name} (${answer.slug}), by ${where}`, fix: null };
}

async function checkClaudeCode(context: CommandContext): Promise<Omit<Check, 'name'>> {
  const [first] = declarations(context.folder, context.environment);
  if (!first) {
    return {
      state: 'note',
      message: 'does not start `loupe mcp` here',
      fix: '`loupe project link --mcp`',
    };
  }
  if (first.isOurs) return { state: 'ok', message: `starts \`loupe mcp\` (${first.scope})`, fix: null };
  const fix = `\`claude mcp remove --scope ${first.scope} loupe\`, then \`loupe project link --mcp\``;
  return { state: 'note', message: `starts something else: ${first.command}`, fix };
}

async function checkCodex({ environment }: CommandContext): Promise<Omit<Check, 'name'>> {
  const command = codexDeclaration(environment);
  if (command === undefined) return { state: 'note', message: 'is not set up on this machine', fix: null };
  if (command === null) {
    return {
      state: 'note',
      message: 'does not start `loupe mcp`',
      fix: '`codex mcp add loupe -- loupe mcp --project <uuid>`',
    };
  }
  if (/(^|\/)loupe mcp\b/.test(command)) return { state: 'ok', message: `starts \`${command}\``, fix: null };
  return { state: 'note', message: `starts something else: ${command}`, fix: '`codex mcp remove loupe`' };
}

async function account(context: CommandContext): Promise<Account> {
  const api = context.api();
  return accountOf(await api.call('/api/me'), api.url);
}

function failing(error: unknown): Omit<Check, 'name'> {
  if (error instanceof Failure) return { state: 'FAIL', message: error.what, fix: error.fix };
  return { state: 'FAIL', message: reasonOf(error), fix: 'check the address and the network' };
}
