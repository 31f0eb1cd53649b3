import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export type Scope = 'local' | 'project' | 'user';

/** How Claude Code starts `loupe` in one scope. */
export interface Declaration {
  readonly scope: Scope;
  readonly command: string;
  readonly isOurs: boolean;
}

/**
 * Every declaration of a server `loupe` that Claude Code knows for this folder, in the order in which one hides the
 * other. The files are read, never written: changes go through `claude mcp`.
 */
export function declarations(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Declaration[] {
  const home = environment.HOME || homedir();
  const settings = environment.CLAUDE_CONFIG_DIR
    ? join(environment.CLAUDE_CONFIG_DIR, '.claude.json')
    : join(home, '.claude.json');
  const user = jsonOf(settings);
  const project = jsonOf(join(folder, '.mcp.json'));
  const found: [Scope, unknown][] = [
    ['local', at(at(user, 'projects'), folder)],
    ['project', project],
    ['user', user],
  ];
  return found.flatMap(([scope, holder]) => {
    const server = at(at(holder, 'mcpServers'), 'loupe');
    return server === undefined ? [] : [declarationOf(scope, server)];
  });
}

function declarationOf(scope: Scope, server: unknown): Declaration {
  const { command, args, url } = (server ?? {}) as { command?: unknown; args?: unknown; url?: unknown };
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
  const line = typeof url === 'string' ? url : words.join(' ');
  return {
    scope,
    command: line || 'something unreadable',
    isOurs: /(^|\/)loupe mcp( --project \S+)?$/.test(line),
  };
}

function at(value: unknown, key: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined;
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs `claude mcp …`. @returns null when there is no `claude`, else whether it worked and what it said. */
export function claudeMcp(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly ok: boolean; readonly output: string } | null> {
  return new Promise((done) => {
    const child = spawn('claude', ['mcp', ...args], {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: string[] = [];
    child.stdout.on('data', (data: Buffer) => chunks.push(data.toString()));
    child.stderr.on('data', (data: Buffer) => chunks.push(data.toString()));
    child.once('error', () => done(null));
    child.once('close', (code) => done({ ok: code === 0, output: chunks.join('').trim() }));
  });
}
