import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** How Codex starts a server `loupe`: the words of its command, null when it knows none, undefined without Codex. */
export function codexDeclaration(
  environment: Readonly<Record<string, string | undefined>>,
): string | null | undefined {
  const folder = environment.CODEX_HOME || join(environment.HOME || homedir(), '.codex');
  const path = join(folder, 'config.toml');
  if (!existsSync(folder)) return undefined;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const section = /^\[mcp_servers\.(?:loupe|"loupe")\]\s*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text)?.[1];
  if (section === undefined) return null;
  const command = /^\s*(?:command|url)\s*=\s*["']([^"']*)["']/m.exec(section)?.[1] ?? '';
  const list = /^\s*args\s*=\s*\[([^\]]*)\]/m.exec(section)?.[1] ?? '';
  const args = [...list.matchAll(/["']([^"']*)["']/g)].map(([, word]) => word);
  return [command, ...args].join(' ').trim() || 'something unreadable';
}
