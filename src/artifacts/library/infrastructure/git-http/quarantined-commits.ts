import { isUtf8 } from 'node:buffer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, relative } from 'node:path';
import { Readable } from 'node:stream';
import { DomainError } from '#libs/kernel/errors.js';
import type { TreeFile } from '../../application/ports/git-repositories.js';
import type { PushedCommits } from '../../application/ports/git-transport.js';
import { overLimit } from '../../domain/refusals.js';
import { git, gitEnvironment, gitHome } from '../git/git-process.js';
import { GitOutput } from './git-output.js';
import type { HookCall } from './hook-exchange.js';

const TIMEOUT_MS = 120_000;
/** Of a whole commit, with what is not stored. */
const ENTRIES_MAX = 50_000;

/** What a push brought, read where git keeps it until the push is accepted. */
export class QuarantinedCommits implements PushedCommits {
  private readonly env: Readonly<Record<string, string>>;

  /** @throws when the hook names folders outside the repository. */
  constructor(
    private readonly root: string,
    private readonly repository: string,
    call: HookCall,
  ) {
    for (const folder of [call.objects, ...(call.alternates?.split(':') ?? [])]) {
      if (folder && !isInside(repository, folder)) throw new Error('A hook named objects of somewhere else.');
    }
    this.env = {
      ...(call.objects ? { GIT_OBJECT_DIRECTORY: call.objects } : {}),
      ...(call.alternates ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: call.alternates } : {}),
    };
  }

  /** Some folders that hold each other unfold to billions of files, so they are counted while they come. */
  async tree(revision: string): Promise<TreeFile[]> {
    const child = await this.spawn(['ls-tree', '-r', '-z', '-l', '--full-tree', revision]);
    const ended = once(child, 'close');
    ended.catch(() => undefined);
    child.stdin.end();
    const chunks: Buffer[] = [];
    let entries = 0;
    try {
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) entries += 1;
        if (entries > ENTRIES_MAX) throw overLimit(`The commit holds more than ${ENTRIES_MAX} files.`);
        chunks.push(chunk);
      }
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`git ls-tree ended with ${code}.`);
    return filesOf(Buffer.concat(chunks));
  }

  /** One process for all, so that a push of hundreds of files does not start hundreds. */
  async *contents(oids: readonly string[]): AsyncGenerator<{ oid: string; content: Readable }> {
    if (oids.length === 0) return;
    const child = await this.spawn(['cat-file', '--batch', '--buffer']);
    const ended = once(child, 'close');
    ended.catch(() => undefined);
    child.stdin.end(`${oids.join('\n')}\n`);
    try {
      const output = new GitOutput(child.stdout);
      for (const oid of oids) {
        const [name, type, size] = (await output.line()).split(' ');
        if (name !== oid || type !== 'blob') throw new Error(`git answered "${name} ${type}" for ${oid}.`);
        yield { oid, content: Readable.from(output.bytes(Number(size)), { objectMode: false }) };
        await output.line();
      }
      await ended;
    } finally {
      child.kill('SIGKILL');
    }
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    const { code } = await this.git(['merge-base', '--is-ancestor', older, newer], [0, 1, 128]);
    return code === 0;
  }

  async message(revision: string): Promise<string> {
    const { stdout } = await this.git(['log', '-1', '--format=%B', revision]);
    return stdout.toString().trimEnd();
  }

  async refs(): Promise<string[]> {
    const { stdout } = await this.git(['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags']);
    return stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  }

  async bytes(): Promise<number> {
    const [pushed, kept] = await Promise.all([this.counted(this.env), this.counted({})]);
    return this.env.GIT_OBJECT_DIRECTORY ? pushed + kept : kept;
  }

  private async spawn(args: readonly string[]) {
    const child = spawn('git', args, {
      cwd: this.repository,
      env: { ...gitEnvironment(await gitHome(this.root)), ...this.env },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.stdin.on('error', () => undefined);
    return child;
  }

  private async counted(env: Readonly<Record<string, string>>): Promise<number> {
    const { stdout } = await git(this.root, ['count-objects', '-v'], { cwd: this.repository, env });
    const kibibytes = [...stdout.toString().matchAll(/^(?:size|size-pack): (\d+)$/gm)];
    return kibibytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0);
  }

  private git(args: readonly string[], answers: readonly number[] = []) {
    return git(this.root, args, { cwd: this.repository, env: this.env, answers });
  }
}

function isInside(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return !path.split('/').includes('..');
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

function filesOf(listing: Buffer): TreeFile[] {
  if (!isUtf8(listing)) {
    throw new DomainError('invalid', 'unsafe_path', 'The commit holds a file whose name is not valid UTF-8.');
  }
  return listing
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map((line): TreeFile => {
      const tab = line.indexOf('\t');
      const [mode, type, oid, size] = line.slice(0, tab).split(/ +/);
      const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file';
      return { path: line.slice(tab + 1), bytes: kind === 'submodule' ? 0 : Number(size), kind, oid: oid! };
    });
}
