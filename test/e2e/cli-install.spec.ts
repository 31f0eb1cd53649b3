import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv } from '../support/settled-server.js';

interface Release {
  readonly version: string;
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
}

/** The installer that an instance serves, run by a real sh in a home of its own. */
describe('install.sh', () => {
  let server: LoupeServer;
  let front: Server;
  let publicUrl: string;
  let tamper: (body: Buffer) => Buffer;
  let home: string;

  /** As a person: `curl … | sh`. */
  const install = async (args: string[] = [], path: string = process.env.PATH ?? '') => {
    const shell = spawn('sh', ['-c', `curl -fsSL ${publicUrl}/install.sh | sh -s -- ${args.join(' ')}`], {
      env: { PATH: path, HOME: home, LOUPE_INSTALL_NO_TTY: '1' },
    });
    let output = '';
    shell.stdout.on('data', (data: Buffer) => (output += data.toString()));
    shell.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = (await once(shell, 'close')) as [number];
    return { code, output };
  };
  const everything = () =>
    readdirSync(home, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
      join(parentPath, name),
    );

  beforeAll(async () => {
    const port = await freePort();
    // What stands before the server may change what passes: the download is checked all the same.
    front = createServer(async (request, response) => {
      const answer = await fetch(`${server.origin}${request.url}`);
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(request.url!.endsWith('.tar.gz') ? tamper(body) : body);
    });
    front.listen(port, '127.0.0.1');
    publicUrl = `http://localhost:${port}`;
    server = await LoupeServer.start({ env: { ...adminEnv, DEFAULT_URI: publicUrl } });
  }, 120_000);

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'loupe-home-'));
    tamper = (body) => body;
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  afterAll(async () => {
    front?.close();
    front?.closeAllConnections();
    await server?.stop();
  });

  it('is served with the configured address, whatever host the request names, to anybody and never cached', async () => {
    const answer = await fetch(`${server.origin}/install.sh`, {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    const text = await answer.text();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(text).toContain(`instance='${publicUrl}'`);
    expect(text).not.toContain('evil.example');
    const list = (await (await fetch(`${server.origin}/cli/releases.json`)).json()) as {
      range: string;
      releases: Release[];
    };
    const [release] = list.releases;
    expect([list.range, release!.url]).toEqual(['^0.1', `${publicUrl}/cli/loupe-${release!.version}.tar.gz`]);
    const archive = Buffer.from(
      await (await fetch(`${server.origin}/cli/loupe-${release!.version}.tar.gz`)).arrayBuffer(),
    );
    expect([archive.length, createHash('sha256').update(archive).digest('hex')]).toEqual([
      release!.size,
      release!.sha256,
    ]);
    for (const other of ['/cli/loupe.mjs', '/cli/release.json', '/cli/..%2f..%2fpackage.json']) {
      expect([other, (await fetch(`${server.origin}${other}`)).status]).toEqual([other, 404]);
    }
  });

  it('cli 12.1 (install): puts a loupe that runs into ~/.local/bin and says how to reach it; a second run changes nothing but itself', async () => {
    const { code, output } = await install();
    expect([code, output]).toEqual([0, expect.stringContaining('Add it to your PATH')]);
    const link = join(home, '.local', 'bin', 'loupe');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const ran = spawnSync(link, ['version'], { encoding: 'utf8' });
    expect(ran.stdout).toMatch(/^loupe \d+\.\d+\.\d+ \([0-9a-f]+\)\nnode v\d+/);
    const before = everything().sort();
    expect((await install()).code).toBe(0);
    expect(everything().sort()).toEqual(before);
  });

  it('installs where loupe already is, and leaves Homebrew alone', async () => {
    const bin = join(home, 'tools');
    mkdirSync(bin);
    writeFileSync(join(bin, 'loupe'), '#!/bin/sh\n');
    chmodSync(join(bin, 'loupe'), 0o755);
    const path = `${bin}:${process.env.PATH}`;
    expect((await install([], path)).code).toBe(0);
    expect(realpathSync(join(bin, 'loupe'))).toMatch(/loupe\.mjs$/);

    const cellar = join(home, 'Cellar', 'loupe', '1.0', 'bin');
    mkdirSync(cellar, { recursive: true });
    writeFileSync(join(cellar, 'loupe'), '#!/bin/sh\n');
    chmodSync(join(cellar, 'loupe'), 0o755);
    rmSync(join(bin, 'loupe'));
    symlinkSync(join(cellar, 'loupe'), join(bin, 'loupe'));
    const brewed = await install([], path);
    expect([brewed.code, brewed.output]).toEqual([1, expect.stringContaining('brew upgrade loupe')]);
    expect(readFileSync(join(bin, 'loupe'), 'utf8')).toBe('#!/bin/sh\n');
  });

  it('cli 12.3: a tampered tarball installs nothing, exit 1', async () => {
    tamper = (body) => {
      const changed = Buffer.from(body);
      changed[changed.length - 20]! ^= 1;
      return changed;
    };
    const { code, output } = await install();
    expect([code, output]).toEqual([1, expect.stringContaining('does not match its SHA-256')]);
    expect(everything()).toEqual([]);
  });

  it('takes a folder and a version, refuses unknown ones, and says what it needs', async () => {
    const wrong = await install(['--version', '99.0.0']);
    expect([wrong.code, wrong.output, everything()]).toEqual([1, expect.stringContaining('99.0.0'), []]);
    expect((await install(['--what'])).code).toBe(2);
    const right = await install(['--install-dir', `"${join(home, 'my bin')}"`]);
    expect([right.code, existsSync(join(home, 'my bin', 'loupe'))]).toEqual([0, true]);

    const bare = join(home, 'bare');
    mkdirSync(bare);
    for (const tool of ['sh', 'curl', 'uname', 'cut']) {
      symlinkSync(
        spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim(),
        join(bare, tool),
      );
    }
    const none = await install([], bare);
    expect([none.code, none.output]).toEqual([1, expect.stringContaining('Node.js is missing')]);
  });
});
