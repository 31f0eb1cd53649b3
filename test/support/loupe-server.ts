import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { RedisServer, redisBinary } from '#libs/messaging/testing/redis-server.js';
import { copyPreparedDatabase } from './prepared-database.js';

const START_MILLISECONDS = 120_000;

/** With `TEST_REDIS=on` in the environment of the suites, servers of one var folder share a Redis of their own. */
const redisOf = new Map<string, Promise<RedisServer>>();

async function redisEnv(varDir: string): Promise<Record<string, string>> {
  if (process.env.TEST_REDIS !== 'on') return {};
  const binary = redisBinary();
  if (!binary) throw new Error('TEST_REDIS=on needs a redis-server; set REDIS_SERVER to one.');
  const redis = redisOf.get(varDir) ?? RedisServer.start(binary);
  redisOf.set(varDir, redis);
  return { REDIS_URL: (await redis).url };
}

export interface LoupeServerOptions {
  /** Further variables of the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Use the var folder, and so the database, of another server. */
  readonly beside?: LoupeServer;
  readonly port?: number;
  /** Make the database at the first start, as for a user, instead of copying one that is prepared. */
  readonly fresh?: true;
  /** Path of another Node.js than the one that runs the test. */
  readonly node?: string;
}

/** The built server as a process of its own: what a user gets, seen from outside. */
export class LoupeServer {
  private constructor(
    readonly url: string,
    readonly port: number,
    readonly varDir: string,
    private readonly process: ChildProcess,
    private readonly output: string[],
    private readonly ownsVarDir: boolean,
    private readonly options: LoupeServerOptions,
  ) {}

  static async start(options: LoupeServerOptions = {}): Promise<LoupeServer> {
    const port = options.port ?? (await freePort());
    const varDir = options.beside?.varDir ?? (await mkdtemp(join(tmpdir(), 'loupe-e2e-')));
    if (!options.beside) {
      await chmod(varDir, 0o755);
      if (!options.fresh && !options.env?.DATABASE_URL) await copyPreparedDatabase(varDir, await freePort());
    }
    return LoupeServer.launch(port, varDir, options.beside === undefined, options);
  }

  private static async launch(
    port: number,
    varDir: string,
    ownsVarDir: boolean,
    options: LoupeServerOptions,
  ): Promise<LoupeServer> {
    const redis = await redisEnv(varDir);
    const child = spawn(options.node ?? process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
      cwd: applicationRoot,
      env: {
        PATH: process.env.PATH ?? '',
        NODE_ENV: 'production',
        APP_ENV: 'test',
        PORT: String(port),
        LOUPE_VAR_DIR: varDir,
        LOG_LEVEL: 'info',
        ...redis,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stdout!.on('data', (data: Buffer) => output.push(data.toString()));
    child.stderr!.on('data', (data: Buffer) => output.push(data.toString()));
    const url = options.env?.DEFAULT_URI ?? `http://localhost:${port}`;
    const server = new LoupeServer(url, port, varDir, child, output, ownsVarDir, options);
    try {
      await server.untilReady();
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return server;
  }

  /** Address on the loopback, whatever the public one is. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** Everything that the process has written. */
  get log(): string {
    return this.output.join('');
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** As a power cut would: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
  }

  /** The same server again on the same port and data. */
  async restarted(): Promise<LoupeServer> {
    return LoupeServer.launch(this.port, this.varDir, this.ownsVarDir, this.options);
  }

  /** Stops in order. @returns exit code */
  async terminate(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    return this.process.exitCode;
  }

  /** Stops in order, and removes the data of a server that has a folder of its own. */
  async stop(): Promise<void> {
    await this.terminate();
    if (!this.ownsVarDir) return;
    await (await redisOf.get(this.varDir))?.stop();
    redisOf.delete(this.varDir);
    await rm(this.varDir, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    const end = Date.now() + START_MILLISECONDS;
    while (Date.now() < end) {
      if (this.process.exitCode !== null) throw new Error(`The server ended while starting:\n${this.log}`);
      const answer = await fetch(`${this.origin}/healthz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`The server was not ready after ${START_MILLISECONDS} ms:\n${this.log}`);
  }
}
