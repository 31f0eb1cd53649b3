import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { applicationRoot } from '#libs/configuration/application-root.js';

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

const LIMIT_MS = 120_000;

/** Runs the server or the console of the build until it ends. A server that comes up is killed in the end. */
export function ended(
  entry: 'main' | 'console',
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  limitMs = LIMIT_MS,
): Promise<Ended> {
  return run(process.execPath, [`dist/server/${entry}.js`, ...args], {
    cwd: applicationRoot,
    env: { PATH: process.env.PATH ?? '', ...env },
    limitMs,
  });
}

/** Runs a command until it ends. */
export async function run(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly limitMs?: number;
    readonly uid?: number;
    readonly gid?: number;
  },
): Promise<Ended> {
  const started = Date.now();
  const { limitMs = LIMIT_MS, ...rest } = options;
  const child = spawn(command, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    stderr += data.toString();
  });
  const late = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, stdout, stderr, ms: Date.now() - started };
}
