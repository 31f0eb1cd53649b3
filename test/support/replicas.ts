import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { adminEnv } from './settled-server.js';
import { pause } from './until.js';

/** A start takes two seconds; a machine of tests may be busy with others. */
const START_MS = 180_000;

export interface ReplicasOptions {
  readonly databaseUrl: string;
  /** Where people and agents reach them; default is the first web process. */
  readonly publicUrl?: string;
  readonly webs?: number;
  readonly workers?: number;
  /** Profile of the web processes; the workers run as `test`, so that the first of them migrates. */
  readonly profile?: 'prod' | 'test';
  /** Further variables of all of them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One process of the product in one role, which can be stopped and started again in the same place. */
export class Replica {
  private child: ChildProcess | null = null;
  private output: string[] = [];

  constructor(
    readonly name: string,
    /** 0 for workers, which listen nowhere. */
    readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Everything that it has written since its last start. */
  get log(): string {
    return this.output.join('');
  }

  /** Done when it serves: `/healthz` is 200, or a worker says that it runs. */
  async start(): Promise<this> {
    this.output = [];
    const child = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
      cwd: applicationRoot,
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (data: Buffer) => this.output.push(data.toString()));
    }
    const end = Date.now() + START_MS;
    while (!(await this.isReady())) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${this.name} ended while starting:\n${this.log}`);
      }
      if (Date.now() > end) throw new Error(`${this.name} was not ready in time:\n${this.log}`);
      await pause(100);
    }
    return this;
  }

  /** Ends it with a signal. @returns its exit code; null when the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  private async isReady(): Promise<boolean> {
    if (this.port === 0) return this.log.includes('A worker of Loupe takes jobs now');
    const answer = await fetch(`${this.origin}/healthz`).catch(() => null);
    return answer?.ok ?? false;
  }
}

/** Web processes and workers on one database that is none of theirs, as a company runs them. */
export class Replicas {
  private constructor(
    readonly webs: readonly Replica[],
    readonly workers: readonly Replica[],
    readonly publicUrl: string,
    private readonly varDir: string,
  ) {}

  static async start(options: ReplicasOptions): Promise<Replicas> {
    const varDir = mkdtempSync(join(tmpdir(), 'loupe-replicas-'));
    chmodSync(varDir, 0o755);
    const ports = await Promise.all(Array.from({ length: options.webs ?? 2 }, freePort));
    const publicUrl = options.publicUrl ?? `http://localhost:${ports[0]}`;
    const shared = {
      DATABASE_URL: options.databaseUrl,
      DEFAULT_URI: publicUrl,
      LOUPE_VAR_DIR: varDir,
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      APP_SECRET: randomBytes(32).toString('base64url'),
      APP_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ...adminEnv,
      ...options.env,
    };
    const workers = Array.from(
      { length: options.workers ?? 1 },
      (_, at) =>
        new Replica(`worker ${at + 1}`, 0, { ...shared, APP_ENV: 'test', LOUPE_ROLE: 'worker', PORT: '0' }),
    );
    const webs = ports.map(
      (port, at) =>
        new Replica(`web ${at + 1}`, port, {
          ...shared,
          APP_ENV: options.profile ?? 'test',
          LOUPE_ROLE: 'web',
          PORT: String(port),
        }),
    );
    const replicas = new Replicas(webs, workers, publicUrl, varDir);
    try {
      // One after the other: the first brings the schema up to date, and makes the first admin.
      for (const replica of replicas.all) await replica.start();
      return replicas;
    } catch (error) {
      await replicas.stop();
      throw error;
    }
  }

  get all(): readonly Replica[] {
    return [...this.workers, ...this.webs];
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.end('SIGKILL')));
    await rm(this.varDir, { recursive: true, force: true });
  }
}
