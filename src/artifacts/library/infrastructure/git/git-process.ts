import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '#libs/kernel/errors.js';
import { noGit } from '../../domain/refusals.js';

const OUTPUT_MAX = 64 * 1_048_576;
const TIMEOUT_MS = 120_000;

/** A git process that ended badly; the message is git's own and is for logs. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';

  constructor(
    readonly code: number | null,
    message: string,
  ) {
    super(message);
  }
}

export interface GitRun {
  readonly cwd?: string;
  readonly input?: string | Buffer | AsyncIterable<string | Buffer>;
  /** Exit codes that are answers rather than failures. */
  readonly answers?: readonly number[];
  /** Beside the clean environment: where the objects of a push in quarantine lie. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
}

/**
 * Environment of every git process: nothing of the server's own, no configuration of the machine, no prompt.
 * `home` is an empty folder.
 */
export function gitEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Repositories may belong to another user than the one of this process, as on shared volumes.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
}

/** The folder that is git's home: empty, beside the repositories. */
export async function gitHome(root: string): Promise<string> {
  const home = join(root, '.home');
  await mkdir(home, { recursive: true });
  return home;
}

/** Runs git to its end. @throws GitFailure; DomainError `unavailable` when git is missing. */
export async function git(root: string, args: readonly string[], run: GitRun = {}): Promise<GitResult> {
  const child = spawn('git', args, {
    cwd: run.cwd ?? root,
    env: { ...gitEnvironment(await gitHome(root)), ...run.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? noGit() : error));
    child.once('close', (code) => resolve(code));
  });
  // A process that ended early closes its input; what it says about that comes with its exit code.
  child.stdin.on('error', () => undefined);
  const feeding = feed(child.stdin, run.input);
  try {
    const [stdout, stderr, code] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      ended,
      feeding,
    ]);
    if (code === 0 || (code !== null && run.answers?.includes(code))) return { code, stdout };
    throw new GitFailure(code, `git ${args[0]}: ${stderr.toString().trim().slice(0, 2_000)}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Output of git as it comes; a failure destroys the stream. */
export async function gitStream(root: string, args: readonly string[], cwd: string): Promise<Readable> {
  const child = spawn('git', args, {
    cwd,
    env: gitEnvironment(await gitHome(root)),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
  });
  child.once('error', (error: NodeJS.ErrnoException) =>
    child.stdout.destroy(error.code === 'ENOENT' ? noGit() : error),
  );
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) child.stdout.destroy(new GitFailure(code, `git ${args[0]} failed`));
  });
  child.stdout.once('close', () => child.kill());
  return child.stdout;
}

async function feed(stdin: NodeJS.WritableStream, input: GitRun['input']): Promise<void> {
  if (input === undefined) {
    stdin.end();
  } else if (typeof input === 'string' || Buffer.isBuffer(input)) {
    stdin.end(input);
  } else {
    for await (const chunk of input) {
      if (!(stdin as { writable?: boolean }).writable) return;
      if (!stdin.write(chunk)) await drained(stdin);
    }
    stdin.end();
  }
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      stream.off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > OUTPUT_MAX)
      throw new DomainError('too-large', 'too_large', 'The repository is too large to read.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
