import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#libs/configuration/loopback-ports.js';

const PLACES = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'];

/** Path of a Redis server on this machine, or null. */
export function redisBinary(): string | null {
  return process.env.REDIS_SERVER ?? PLACES.find((path) => existsSync(path)) ?? null;
}

/** A Redis of its own for one suite. */
export class RedisServer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** On `port`, else on a free one. */
  static async start(binary: string, port = 0): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'loupe-redis-'));
    const place = port || (await freePort());
    const child = spawn(
      binary,
      ['--port', String(place), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      { stdio: 'ignore' },
    );
    const url = `redis://127.0.0.1:${place}`;
    const probe = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
    return new RedisServer(url, child, folder);
  }

  /** Safe to repeat. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await gone;
    await rm(this.folder, { recursive: true, force: true });
  }
}
