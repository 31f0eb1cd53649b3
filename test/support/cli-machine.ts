import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { until } from './until.js';
import type { Visitor } from './visitor.js';

/** The built command. */
export const LOUPE = join(applicationRoot, 'dist', 'cli', 'loupe.mjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `loupe` process that runs. */
export class RunningCommand {
  stdout = '';
  stderr = '';
  private readonly end: Promise<Ended>;

  constructor(readonly child: ChildProcessWithoutNullStreams) {
    child.stdout.on('data', (data: Buffer) => {
      this.stdout += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      this.stderr += data.toString();
    });
    child.stdin.on('error', () => undefined);
    this.end = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get ended(): Promise<Ended> {
    return this.end;
  }

  /** One line to its standard input. */
  send(message: unknown): void {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  get lines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '');
  }

  /** The JSON-RPC answer to that id. */
  async answer<T = AnswerLine>(id: number | string, ms = 15_000): Promise<T> {
    let found: T | undefined;
    await until(
      () => {
        found = this.lines.map((line) => JSON.parse(line)).find((each) => each.id === id);
        return found !== undefined;
      },
      ms,
      `No answer to ${id}. stdout: ${this.stdout.slice(-2_000)} stderr: ${this.stderr.slice(-2_000)}`,
    );
    return found!;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.end;
  }
}

export interface AnswerLine {
  readonly id: number | string;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: { readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
    readonly protocolVersion?: string;
    readonly tools?: { readonly name: string }[];
  };
}

/** A machine of a person: a home, a config directory and a folder to work in, all of them empty. */
export class CliMachine {
  readonly root = mkdtempSync(join(tmpdir(), 'loupe-machine-'));
  readonly home = join(this.root, 'home');
  readonly config = join(this.root, 'config');
  readonly folder = join(this.root, 'work');

  constructor(
    private readonly environment: Readonly<Record<string, string>> = {},
    private readonly node = process.execPath,
  ) {
    if (!existsSync(LOUPE)) throw new Error('The command is not built: run `npm run build:cli`.');
    mkdirSync(this.home);
    mkdirSync(this.folder);
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
    return new RunningCommand(
      spawn(this.node, [LOUPE, ...args], {
        cwd: this.folder,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: this.home,
          LOUPE_CONFIG_DIR: this.config,
          ...this.environment,
          ...env,
        },
      }),
    );
  }

  /** Runs to its end, with nothing on its standard input. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const command = this.start(args, env);
    command.child.stdin.end();
    return command.ended;
  }

  write(path: string, text: string | Buffer): string {
    const absolute = join(this.folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
    return absolute;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  get stored(): {
    current: string;
    bridgeId: string;
    instances: Record<
      string,
      { accessToken: string; refreshToken: string; expiresAt: string; account: object }
    >;
  } {
    return JSON.parse(readFileSync(join(this.config, 'config.json'), 'utf8'));
  }

  /** Stores a sign-in as `loupe login` would. */
  signIn(url: string, tokens: { accessToken: string; refreshToken: string; expiresAt?: string }): void {
    mkdirSync(this.config, { recursive: true });
    const login = {
      clientId: 'loupe-cli',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      scope: 'agent mcp projects',
      account: { id: 'a', name: 'Ada' },
      ...tokens,
    };
    writeFileSync(
      join(this.config, 'config.json'),
      JSON.stringify({ current: url, bridgeId: 'b', instances: { [url]: login } }),
    );
  }

  /** `loupe login`, and a person who answers its code in the browser. */
  async login(url: string, visitor: Visitor, answer: 'allow' | 'deny' = 'allow'): Promise<Ended> {
    const command = this.start(['login', '--url', url, '--json']);
    await until(() => command.stdout.includes('\n'), 20_000, 'The command printed no code.');
    const { userCode } = JSON.parse(command.stdout) as { userCode: string };
    const page = await visitor.open(`/oauth/device?user_code=${userCode}`);
    const answered = await visitor.submit(page, { answer });
    if (answered.status !== 200) throw new Error(`The page did not take the answer: ${answered.status}`);
    return command.ended;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
