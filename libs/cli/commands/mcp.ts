import { CommandContext } from '../core/context.js';
import { ExitCode } from '../core/exit-codes.js';
import { sessionHeader } from '../core/project-choice.js';
import { LineReader } from '../mcp/line-reader.js';
import { ProjectWatch } from '../mcp/project-watch.js';
import { McpProxy } from '../mcp/proxy.js';

/** `loupe mcp`: the MCP server of an agent on stdin and stdout. */
export async function mcp(
  context: CommandContext,
  options: { readonly project?: string },
): Promise<ExitCode> {
  const { environment } = context;
  const note = (line: string) => context.terminal.say(line);
  const fixed = options.project === undefined ? null : CommandContext.projectId(options.project);
  const project = new ProjectWatch(context.folder, fixed, note);
  const signIn = context.signIn();
  const proxy = new McpProxy({
    url: signIn.url,
    signIn,
    fetch: context.fetch,
    project,
    headers: {
      ...sessionHeader(environment),
      ...(/^[\x21-\x7e]+$/.test(environment.FIGMA_TOKEN ?? '')
        ? { 'x-figma-token': environment.FIGMA_TOKEN }
        : {}),
    },
    write: (line) => context.world.stdout.write(`${line}\n`),
    note,
  });
  const reader = new LineReader((line) => proxy.take(line));
  process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  const closed = new Promise<null>((done) => {
    process.stdin.once('end', () => done(null));
    process.stdin.once('error', () => done(null));
  });
  const failure = await Promise.race([closed, proxy.failure]);
  if (failure) {
    process.stdin.destroy();
    throw failure;
  }
  reader.end();
  await proxy.close();
  return ExitCode.done;
}
