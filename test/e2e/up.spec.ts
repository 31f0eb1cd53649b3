import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { until } from '../support/until.js';

const FIRST_TIME_MS = 300_000;
const SECOND_TIME_MS = 20_000;

/** `npm run up` as a newcomer types it. */
class Up {
  readonly output: string[] = [];

  private constructor(readonly npm: ChildProcess) {
    npm.stdout!.on('data', (data: Buffer) => this.output.push(data.toString()));
    npm.stderr!.on('data', (data: Buffer) => this.output.push(data.toString()));
  }

  static run(folder: string, env: Record<string, string>): Up {
    const { PATH = '', HOME = '' } = process.env;
    // npm keeps its settings of the machine; nothing of the settings of this test run reaches the newcomer.
    const npmSettings = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /^(npm_config_|https?_proxy$|no_proxy$)/i.test(name)),
    ) as Record<string, string>;
    delete npmSettings.npm_config_prefix;
    return new Up(
      spawn('npm', ['run', 'up'], {
        cwd: folder,
        env: { PATH: withoutOwnPackages(PATH), HOME, ...npmSettings, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
    );
  }

  get text(): string {
    return this.output.join('');
  }

  /** Waits for the line that names the address. @returns the address */
  async address(ms: number): Promise<string> {
    await until(
      () => this.npm.exitCode !== null || /Loupe is running at (\S+)/.test(this.text),
      ms,
      'It did not start in time.',
    );
    const address = /Loupe is running at (\S+)/.exec(this.text)?.[1];
    if (!address) throw new Error(`It ended with ${this.npm.exitCode}:\n${this.text}`);
    return address;
  }

  /** As Ctrl+C in a terminal (the whole group), or as a supervisor (the process that it started). */
  async stop(how: 'Ctrl+C' | 'SIGTERM'): Promise<void> {
    const exit = once(this.npm, 'exit');
    if (how === 'Ctrl+C') process.kill(-this.npm.pid!, 'SIGINT');
    else this.npm.kill('SIGTERM');
    await exit;
  }
}

/** Jest runs with the packages of this checkout on its path; a newcomer's shell has none. */
function withoutOwnPackages(path: string): string {
  return path
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':');
}

/** Processes that work in the folder or name it in their command line. */
function processesOf(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => {
    if (line.includes(folder)) return true;
    try {
      return readlinkSync(`/proc/${Number.parseInt(line, 10)}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

async function occupy(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('npm run up in a fresh clone, in a folder with a space in its name', () => {
  let parent: string;
  let clone: string;
  let varDir: string;

  function up(env: Record<string, string> = {}): Up {
    return Up.run(clone, { LOUPE_VAR_DIR: varDir, ...env });
  }

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'loupe up '));
    await chmod(parent, 0o755);
    clone = join(parent, 'my clone');
    varDir = join(parent, 'its data');
    execFileSync('git', ['clone', '--quiet', applicationRoot, clone]);
  }, 60_000);

  afterAll(async () => {
    // Whatever a failed test has left behind.
    for (const line of processesOf(parent)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await rm(parent, { recursive: true, force: true });
  });

  it('installs, builds, starts and prints the address and what to do next; /install answers', async () => {
    const port = await freePort();
    const first = up({ PORT: String(port) });
    const address = await first.address(FIRST_TIME_MS);
    expect(address).toBe(`http://localhost:${port}`);
    expect(first.text).toContain(`Open ${address}/install to create the first account.`);
    expect(first.text).toContain(`Agents connect to ${address}/mcp`);
    const page = await fetch(`${address}/install`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Set up this instance');
    expect((await fetch(`${address}/mcp`, { method: 'POST' })).status).toBe(401);
    const app = await (await fetch(`${address}/login`)).text();
    const [, style] = /href="(\/assets\/[^"]+\.css)"/.exec(app) ?? [];
    expect((await fetch(`${address}${style}`)).status).toBe(200);
    await first.stop('SIGTERM');
    await until(() => processesOf(parent).length === 0, 10_000, processesOf(parent).join('\n'));
  }, 360_000);

  it('starts fast a second time, with nothing installed or built anew, and stops on Ctrl+C with nothing left', async () => {
    const port = await freePort();
    const started = Date.now();
    const second = up({ PORT: String(port) });
    await second.address(SECOND_TIME_MS);
    expect(Date.now() - started).toBeLessThan(SECOND_TIME_MS);
    expect(second.text).not.toMatch(/Installing|Building/);
    await second.stop('Ctrl+C');
    await until(() => processesOf(parent).length === 0, 10_000, processesOf(parent).join('\n'));
  }, 60_000);

  it('leaves the clone as git knows it', () => {
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' });
    expect(status).toBe('');
  });

  it('takes the next free port beside another instance and says so; with PORT it names the port that is taken', async () => {
    const taken = await occupy(3000).catch(() => null);
    try {
      const beside = up();
      const address = await beside.address(SECOND_TIME_MS);
      expect(address).not.toBe('http://localhost:3000');
      expect(beside.text).toMatch(/Port 3000 is in use, so this instance takes \d+\. Set PORT/);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      const port = new URL(address).port;
      const refused = up({ PORT: port });
      const [code] = (await once(refused.npm, 'exit')) as [number];
      expect(code).not.toBe(0);
      expect(refused.text).toContain(`Port ${port} is in use`);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      await beside.stop('SIGTERM');
      await until(() => processesOf(parent).length === 0, 10_000, processesOf(parent).join('\n'));
    } finally {
      taken?.close();
    }
  }, 60_000);
});
