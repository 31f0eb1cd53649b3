import { spawn } from 'node:child_process';
import type { CommandContext } from '../core/context.js';
import { wrongUse } from '../core/failure.js';
import { projectOf } from '../core/project-choice.js';
import { isProjectId } from '../core/project-file.js';

export interface OpenOptions {
  readonly project?: string;
}

/** `loupe artifact open`: prints the address of an artifact, and on a terminal opens it in the browser. */
export async function artifactOpen(
  context: CommandContext,
  options: OpenOptions,
  words: readonly string[],
): Promise<void> {
  const id = words[0]!;
  if (!isProjectId(id)) throw wrongUse(`"${id}" is not the id of an artifact`, 'see `loupe artifact list`');
  const api = context.api();
  const projectId = await projectOf(context, api, options.project);
  const { url, name } = await api.call<{ url: string; name: string }>(
    `/api/projects/${projectId}/artifacts/${id}`,
  );
  context.terminal.result(url);
  context.terminal.report({ artifactId: id, name, url });
  if (context.terminal.asks && !context.terminal.choices.json && url.startsWith(`${api.url}/`)) openPage(url);
}

/** The address is one argument of a program; no shell reads it. */
function openPage(url: string): void {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], {
    stdio: 'ignore',
    detached: true,
  });
  child.once('error', () => undefined);
  child.unref();
}
