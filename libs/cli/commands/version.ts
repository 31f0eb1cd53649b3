import type { CommandContext } from '../core/context.js';
import { COMMIT, VERSION, versionLine } from '../core/version.js';

/** `loupe version`: what this program is and what it runs on. */
export async function version({ terminal }: CommandContext): Promise<void> {
  terminal.result(versionLine());
  terminal.result(`node ${process.version} ${process.platform}/${architecture()}`);
  terminal.report({
    version: VERSION,
    commit: COMMIT || null,
    node: process.version,
    platform: process.platform,
    arch: architecture(),
  });
}

function architecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}
