import { accountOf, projectLines } from './account.js';
import type { ApiClient } from './api-client.js';
import { CommandContext } from './context.js';
import { ExitCode } from './exit-codes.js';
import { Failure } from './failure.js';

/** The project that a command works on: `--project`, that of `.loupe.yaml`, or the only one of the sign-in. @throws Failure (4). */
export async function projectOf(
  context: CommandContext,
  api: ApiClient,
  named: string | undefined,
): Promise<string> {
  const known = named === undefined ? context.linkedProject() : CommandContext.projectId(named);
  if (known !== null) return known;
  const { projects } = accountOf(await api.call('/api/me'), api.url);
  if (projects.length === 1) return projects[0]!.id;
  throw new Failure(
    ExitCode.noProject,
    projects.length === 0
      ? 'this sign-in covers no project'
      : `this sign-in covers ${projects.length} projects`,
    projects.length === 0
      ? 'make one in the browser'
      : `run \`loupe project link\`, or name one with --project\n${projectLines(projects)}`,
  );
}

const SESSION_VARIABLES = ['LOUPE_SESSION_ID', 'CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID'];

/** Names the session of the agent that runs this program, if one does. */
export function sessionHeader(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const session = SESSION_VARIABLES.map((name) => environment[name]).find((value) => value);
  // Another form would be ignored by the server, and could not travel in a header.
  return session && /^[A-Za-z0-9_.:-]{1,100}$/.test(session) ? { 'loupe-session-id': session } : {};
}
