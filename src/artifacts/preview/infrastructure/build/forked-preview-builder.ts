import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { builtProgram } from '#libs/configuration/built-program.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import {
  type BuildKind,
  type BuildResult,
  PreviewBuilder,
  type PreviewFile,
} from '../../application/ports/preview-builder.js';
import { type BuildWork, doBuild, type FromBuild, type ToBuild } from './build-work.js';
import { digestOf } from './react-app.js';

/** Go up whenever the same files give another result. */
const EDITIONS: Readonly<Record<BuildKind, number>> = { react: 1, markdown: 1 };
const WATCH_MS = 250;
const FILE_MAX_BYTES = 26_214_400;
/** Builds at a time in one process of the server; others wait their turn. */
const AT_ONCE = 2;

/**
 * Builds in a process of its own, which gets no secret, no network and no folder but an empty one, and is ended with
 * everything it started after 60 s or at 512 MB (`artifacts.md` 10.3).
 */
@Injectable()
export class ForkedPreviewBuilder extends PreviewBuilder implements OnModuleDestroy {
  /** What one build may take; tests lower it. */
  limits = { ms: 60_000, mebibytes: 512 };
  private readonly entry = builtProgram('build-process');
  private readonly running = new Set<ChildProcess>();
  private readonly turns: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly blobs: ArtifactBlobs,
    private readonly flags: Flags,
  ) {
    super();
  }

  override editionOf(kind: BuildKind): string {
    const edition = `${kind}-${EDITIONS[kind]}`;
    return kind === 'react'
      ? `${edition}-${digestOf(this.flags.list('artifacts.preview_modules'))}`
      : edition;
  }

  override async build(
    kind: BuildKind,
    files: readonly PreviewFile[],
    entryPath: string | null,
  ): Promise<BuildResult> {
    const modules = this.flags.list('artifacts.preview_modules');
    const work: BuildWork = { kind, paths: files.map(({ path }) => path), entryPath, modules };
    const byPath = new Map(files.map((file) => [file.path, file]));
    const read = async (path: string): Promise<Uint8Array> => {
      const file = byPath.get(path);
      if (file === undefined) throw new Error(`The version has no file ${path}.`);
      return this.blobs.read(file.sha256, FILE_MAX_BYTES);
    };
    await this.turn();
    try {
      // Only tests on the sources run without a build of the server; there it builds where it stands.
      if (this.entry === null)
        return await doBuild(work, { paths: work.paths, has: (path) => byPath.has(path), read });
      return await this.inProcess(this.entry, work, read);
    } finally {
      this.busy -= 1;
      this.turns.shift()?.();
    }
  }

  onModuleDestroy(): void {
    for (const child of this.running) end(child);
  }

  private async turn(): Promise<void> {
    while (this.busy >= AT_ONCE) await new Promise<void>((go) => this.turns.push(go));
    this.busy += 1;
  }

  private async inProcess(
    entry: string,
    work: BuildWork,
    read: (path: string) => Promise<Uint8Array>,
  ): Promise<BuildResult> {
    const { mebibytes } = this.limits;
    const folder = await mkdtemp(join(tmpdir(), 'loupe-preview-'));
    const child = fork(entry, [], {
      cwd: folder,
      // Nothing of the server's environment: no secret, no proxy.
      env: {
        NODE_ENV: 'production',
        TMPDIR: folder,
        HOME: folder,
        GOMEMLIMIT: `${mebibytes}MiB`,
        GOMAXPROCS: '2',
      },
      execArgv: [`--max-old-space-size=${mebibytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A group of its own, so that it ends with everything it started.
      detached: true,
    });
    this.running.add(child);
    try {
      return await this.conversation(child, work, read);
    } finally {
      end(child);
      this.running.delete(child);
      await rm(folder, { recursive: true, force: true });
    }
  }

  private conversation(
    child: ChildProcess,
    work: BuildWork,
    read: (path: string) => Promise<Uint8Array>,
  ): Promise<BuildResult> {
    const { ms, mebibytes } = this.limits;
    const tooSlow = `The build took longer than ${ms / 1000} seconds.`;
    const tooLarge = `The build needed more than ${mebibytes} MB of memory.`;
    return new Promise<BuildResult>((resolve, reject) => {
      const timers: NodeJS.Timeout[] = [];
      const done = (): void => {
        for (const timer of timers) clearTimeout(timer);
      };
      const failed = (error: string): void => {
        done();
        resolve({ state: 'failed', error, atLimit: true });
      };
      const broke = (error: unknown): void => {
        done();
        reject(error);
      };
      timers.push(
        setTimeout(() => failed(tooSlow), ms),
        setInterval(() => {
          void mebibytesOf(child.pid!).then((used) => {
            if (used > mebibytes) failed(tooLarge);
          });
        }, WATCH_MS),
      );
      child.on('error', broke);
      child.on('exit', (_, signal) =>
        this.running.has(child) && signal === 'SIGABRT'
          ? failed(tooLarge)
          : broke(
              new DomainError('unavailable', 'build_ended', 'The build ended without a result. Try again.'),
            ),
      );
      child.on('message', (message: FromBuild) => {
        if ('result' in message) {
          done();
          resolve(message.result);
        } else if ('fault' in message) broke(new Error(message.fault));
        else read(message.read).then((content) => tell(child, { path: message.read, content }), broke);
      });
      tell(child, { work });
    });
  }
}

function tell(child: ChildProcess, message: ToBuild): void {
  if (child.connected) child.send(message, () => undefined);
}

function end(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** Memory of a process and of what it started, in MiB; 0 where the system does not tell. */
async function mebibytesOf(pid: number): Promise<number> {
  try {
    const [status, children] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
    ]);
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    const rest = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => mebibytesOf(Number(child))),
    );
    return rest.reduce((sum, one) => sum + one, own);
  } catch {
    return 0;
  }
}
