import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GitRun {
  readonly code: number | null;
  readonly stdout: string;
  /** With `remote:` lines. */
  readonly stderr: string;
}

/** The git of a person, with a home of its own, so that nothing of this machine has a say. */
export class GitClient {
  private constructor(readonly home: string) {}

  static async start(): Promise<GitClient> {
    return new GitClient(await mkdtemp(join(tmpdir(), 'loupe-git-client-')));
  }

  /** Folder below the home. */
  path(name: string): string {
    return join(this.home, name);
  }

  /** Clones into a folder of that name and answers it. @throws with what git said. */
  async clone(address: string, name: string): Promise<string> {
    const { code, stderr } = await this.run(this.home, 'clone', '--quiet', address, name);
    if (code !== 0) throw new Error(stderr);
    const folder = this.path(name);
    await this.in(folder, 'config', 'user.email', 'ada@example.com');
    await this.in(folder, 'config', 'user.name', 'Ada');
    return folder;
  }

  /** Commits everything that is in the folder. */
  async commit(folder: string, message: string): Promise<string> {
    await this.in(folder, 'add', '--all');
    await this.in(folder, 'commit', '--quiet', '--allow-empty', '-m', message);
    return (await this.in(folder, 'rev-parse', 'HEAD')).trim();
  }

  /** Runs git where it must not fail. @returns what it printed. */
  async in(folder: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(folder, ...args);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** The same with something on its input. */
  async fed(folder: string, input: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.launch(folder, args, input);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  run(folder: string, ...args: string[]): Promise<GitRun> {
    return this.launch(folder, args, '');
  }

  private launch(folder: string, args: readonly string[], input: string): Promise<GitRun> {
    const child = spawn('git', args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: this.home,
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'init.defaultBranch',
        GIT_CONFIG_VALUE_0: 'main',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ code, stdout, stderr }));
    });
  }

  async stop(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}
