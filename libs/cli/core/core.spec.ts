import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeServer, sendJson } from '../testing/fake-server.js';
import { ApiClient } from './api-client.js';
import { ConfigStore, defaultConfigFolder, type StoredLogin } from './config-store.js';
import { pollForTokens } from './device-flow.js';
import { ExitCode } from './exit-codes.js';
import { Failure } from './failure.js';
import { FileLock } from './file-lock.js';
import { instanceUrl } from './instance-url.js';
import { withLoupeServer } from './mcp-json.js';
import { nearest } from './nearest.js';
import { processStart } from './process-start.js';
import { readProjectFile } from './project-file.js';
import { SignIn } from './sign-in.js';
import { type OutputChoices, Terminal } from './terminal.js';
import { versionLine } from './version.js';
import { fits } from './version-range.js';
import { webFetch } from './web.js';

const HOUR = 3_600_000;

describe('loupe: the core', () => {
  let folder: string;
  let store: ConfigStore;
  let server: FakeServer;

  const login = (over: Partial<StoredLogin> = {}): StoredLogin => ({
    clientId: 'loupe-cli',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    expiresAt: new Date(Date.now() + HOUR).toISOString(),
    scope: 'agent',
    account: { id: 'p', name: 'Ada' },
    ...over,
  });
  const signIn = () => new SignIn(store, server.url, (url, init) => fetch(url, init));

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-core-'));
    store = new ConfigStore(join(folder, 'config'));
    server = await FakeServer.start();
  });

  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  describe('config.json', () => {
    it('is private, whole, and leaves no temp file behind', async () => {
      await store.putLogin('https://a.example', login());
      expect(readdirSync(store.folder)).toEqual(['config.json']);
      expect(statSync(store.path).mode & 0o777).toBe(0o600);
      expect(store.read()).toMatchObject({ current: 'https://a.example', bridgeId: expect.any(String) });
    });

    it('when broken is moved to config.json.bad and counts as not signed in', () => {
      store = new ConfigStore(folder);
      for (const text of ['{', '[]', '"text"', '{"instances": 3}']) {
        writeFileSync(store.path, text);
        expect(store.read()).toEqual({ instances: {} });
        expect(readFileSync(`${store.path}.bad`, 'utf8')).toBe(text);
        expect(existsSync(store.path)).toBe(false);
      }
    });

    it('keeps what later versions store in it', async () => {
      store = new ConfigStore(folder);
      writeFileSync(
        store.path,
        JSON.stringify({ instances: {}, bridgeId: 'b', agentAccount: { login: 'bot' } }),
      );
      await store.putLogin('https://a.example', login());
      await store.removeLogins(['https://a.example']);
      expect(store.read()).toEqual({ instances: {}, bridgeId: 'b', agentAccount: { login: 'bot' } });
    });

    it('of twenty changes at once loses none', async () => {
      const urls = Array.from({ length: 20 }, (_, index) => `https://${index}.example`);
      await Promise.all(urls.map((url) => new ConfigStore(store.folder).putLogin(url, login())));
      expect(Object.keys(store.read().instances).sort()).toEqual([...urls].sort());
    });

    it('a folder that cannot be written is a failure that names it', async () => {
      writeFileSync(join(folder, 'file'), '');
      const inFile = new ConfigStore(join(folder, 'file', 'config'));
      await expect(inFile.putLogin('https://a.example', login())).rejects.toMatchObject({
        exitCode: ExitCode.failed,
        message: expect.stringContaining(join(folder, 'file')),
      });
    });

    it('lies where the system keeps configuration', () => {
      expect(defaultConfigFolder({}, 'linux', '/home/a')).toBe('/home/a/.config/loupe');
      expect(defaultConfigFolder({ XDG_CONFIG_HOME: '/x' }, 'linux', '/home/a')).toBe('/x/loupe');
      expect(defaultConfigFolder({}, 'darwin', '/Users/a')).toBe(
        '/Users/a/Library/Application Support/loupe',
      );
      expect(defaultConfigFolder({ LOUPE_CONFIG_DIR: '/c' }, 'darwin', '/Users/a')).toBe('/c');
    });
  });

  describe('locks', () => {
    it('are never taken from a live process, and are free after it let go', async () => {
      const path = join(folder, 'lock');
      const lock = await FileLock.take(path, 0);
      expect(await FileLock.take(path, 60)).toBeNull();
      lock!.release();
      const next = await FileLock.take(path, 0);
      expect(next).not.toBeNull();
      next!.release();
      expect(readdirSync(folder)).toEqual([]);
    });

    it('of a dead process, or of one whose number was given away again, are taken over by exactly one', async () => {
      const path = join(folder, 'lock');
      const child = spawn(process.execPath, ['-e', '']);
      await once(child, 'exit');
      for (const holder of [
        { pid: child.pid, start: 'long ago', nonce: 'dead' },
        { pid: process.pid, start: 'another start', nonce: 'reused' },
      ]) {
        writeFileSync(path, JSON.stringify(holder));
        const locks = await Promise.all(Array.from({ length: 10 }, () => FileLock.take(path, 0)));
        const held = locks.filter((lock) => lock !== null);
        expect(held).toHaveLength(1);
        held[0]!.release();
        expect(existsSync(path)).toBe(false);
      }
    });

    it('a process has one start as long as it lives, and none when there is none', () => {
      expect(processStart(process.pid)).toBe(processStart(process.pid));
      expect(processStart(process.pid)).not.toBeNull();
      expect(processStart(2 ** 22 + 1)).toBeNull();
    });
  });

  describe('the sign-in', () => {
    it('cli 12.4: two processes that refresh at once make one exchange, and both go on', async () => {
      await store.putLogin(server.url, login({ expiresAt: new Date(Date.now() + 60_000).toISOString() }));
      server.answer((_, response) =>
        setTimeout(
          () =>
            sendJson(response, 200, {
              access_token: 'access-2',
              refresh_token: 'refresh-2',
              expires_in: 3600,
            }),
          50,
        ),
      );
      const tokens = await Promise.all([
        signIn().accessToken(),
        signIn().accessToken(),
        signIn().accessToken(),
      ]);
      expect(tokens).toEqual(['access-2', 'access-2', 'access-2']);
      expect(server.seen.map(({ body }) => body.toString())).toEqual([
        expect.stringContaining('refresh_token=refresh-1'),
      ]);
      expect(store.login(server.url)).toMatchObject({ refreshToken: 'refresh-2', account: { name: 'Ada' } });
    });

    it('leaves a token alone that has two minutes left', async () => {
      await store.putLogin(server.url, login({ expiresAt: new Date(Date.now() + 130_000).toISOString() }));
      expect(await signIn().accessToken()).toBe('access-1');
      expect(server.seen).toEqual([]);
    });

    it('says to sign in again when the grant has ended, and keeps the file when the server is away', async () => {
      await store.putLogin(server.url, login());
      server.answer((_, response) => sendJson(response, 400, { error: 'invalid_grant' }));
      await expect(signIn().refreshed('access-1')).rejects.toMatchObject({
        exitCode: ExitCode.notSignedIn,
        message: expect.stringContaining('Run `loupe login` again'),
      });
      server.answer((_, response) => response.writeHead(503).end());
      await expect(signIn().refreshed('access-1')).rejects.toMatchObject({ exitCode: ExitCode.unreachable });
      expect(store.login(server.url)?.refreshToken).toBe('refresh-1');
    });
  });

  describe('the device flow', () => {
    const code = {
      deviceCode: 'd',
      userCode: 'BCDF-GHJK',
      verificationUri: 'u',
      verificationUriComplete: 'u',
      expiresIn: 600,
      interval: 5,
    };

    /** Plays the answers of the token endpoint, and notes how long each question waited. */
    const poll = (answers: (object | null)[]) => {
      const waits: number[] = [];
      let now = 0;
      const ended = pollForTokens(
        async () => {
          const answer = answers.shift();
          if (!answer) throw new TypeError('fetch failed');
          return new Response(JSON.stringify(answer), { status: 'access_token' in answer ? 200 : 400 });
        },
        'https://a.example',
        code,
        async (ms) => {
          waits.push(ms);
          now += ms;
        },
        () => now,
      );
      return { ended, waits };
    };

    it('goes on while the person thinks, slows down when asked, and outlives a network that fails', async () => {
      const tokens = { access_token: 'a', refresh_token: 'r' };
      const pending = { error: 'authorization_pending' };
      const { ended, waits } = poll([pending, { error: 'slow_down' }, null, pending, tokens]);
      expect(await ended).toEqual(tokens);
      expect(waits).toEqual([5_000, 5_000, 10_000, 10_000, 10_000]);
    });

    it('cli 12.4: a refusal and an ended code are exit 3', async () => {
      const refused = { exitCode: ExitCode.notSignedIn };
      await expect(poll([{ error: 'access_denied' }]).ended).rejects.toMatchObject(refused);
      await expect(poll([{ error: 'expired_token' }]).ended).rejects.toMatchObject(refused);
      await expect(poll([]).ended).rejects.toMatchObject(refused);
    });
  });

  describe('the HTTP client', () => {
    const client = (refreshed: (token: string) => Promise<string> = async () => 'access-2') =>
      new ApiClient(
        server.url,
        { accessToken: async () => 'access-1', refreshed },
        webFetch({}, { debug: () => undefined }),
        [5, 5, 5],
      );

    it('repeats under one id what a busy server did not answer, and gives up with exit 5', async () => {
      let left = 2;
      server.answer((_, response) =>
        left-- > 0 ? response.writeHead(502).end() : sendJson(response, 200, { ok: 1 }),
      );
      expect(await client().call('/api/me')).toEqual({ ok: 1 });
      expect(new Set(server.seen.map(({ headers }) => headers['loupe-request-id'])).size).toBe(1);
      server.answer((_, response) => response.writeHead(500).end());
      await expect(client().call('/api/me')).rejects.toMatchObject({ exitCode: ExitCode.unreachable });
      expect(server.seen).toHaveLength(3 + 4);
    });

    it('waits through the limits of the server as often as a push of many files meets them', async () => {
      let left = 12;
      server.answer((_, response) =>
        left-- > 0
          ? response.writeHead(429, { 'retry-after': '0' }).end()
          : sendJson(response, 200, { ok: 1 }),
      );
      expect(await client().call('/api/me')).toEqual({ ok: 1 });
      server.answer((_, response) =>
        sendJson(
          response,
          429,
          { error: 'rate_limited', message: 'Too many requests.' },
          { 'retry-after': '0' },
        ),
      );
      await expect(client().call('/api/me')).rejects.toMatchObject({
        exitCode: 1,
        what: 'Too many requests',
      });
    });

    it('refreshes once after a 401; a second one is exit 3', async () => {
      server.answer(({ headers }, response) =>
        headers.authorization === 'Bearer access-2'
          ? sendJson(response, 200, {})
          : response.writeHead(401).end(),
      );
      expect(await client().call('/api/me')).toEqual({});
      await expect(client(async () => 'access-3').call('/api/me')).rejects.toMatchObject({ exitCode: 3 });
    });

    it('gives the sentence of a refusal, and follows no redirect with its token', async () => {
      server.answer((_, response) =>
        sendJson(response, 409, { error: 'archived', message: 'It is archived.' }),
      );
      await expect(client().call('/x')).rejects.toMatchObject({
        exitCode: 1,
        status: 409,
        what: 'It is archived',
      });
      server.answer((_, response) => response.writeHead(302, { location: 'https://evil.example/' }).end());
      await expect(client().call('/x')).rejects.toMatchObject({ exitCode: 1, status: 302 });
      server.answer((_, response) => sendJson(response, 426, { message: 'Too old.' }));
      await expect(client().call('/x')).rejects.toMatchObject({ exitCode: ExitCode.versionMismatch });
    });
  });

  it('writes results to stdout and all else to stderr, colours and drawn lines only on a terminal', () => {
    const written = { out: '', err: '' };
    const terminal = (
      choices: Partial<OutputChoices>,
      tty: boolean,
      environment: Record<string, string> = {},
    ) => {
      written.out = '';
      written.err = '';
      return new Terminal(
        { write: (text) => (written.out += text), isTTY: tty },
        { write: (text) => (written.err += text), isTTY: tty },
        { json: false, quiet: false, debug: false, noInput: false, ...choices },
        environment,
      );
    };
    const speak = (at: Terminal) => {
      at.result('result');
      at.note('note');
      at.report({ a: 1 });
      at.progress('half');
      at.fail(new Failure(1, 'it broke', 'mend it', 'at line 3'));
      return { ...written };
    };
    expect(speak(terminal({}, false))).toEqual({ out: 'result\n', err: 'note\nerror: it broke: mend it\n' });
    expect(speak(terminal({ json: true }, false)).out).toBe('{"a":1}\n');
    expect(speak(terminal({ quiet: true }, true, { NO_COLOR: '1' })).err).toBe('error: it broke: mend it\n');
    expect(speak(terminal({ debug: true }, false)).err).toContain('at line 3');
    const drawn = speak(terminal({}, true)).err;
    expect([drawn.includes('\u001b[2Khalf'), drawn.includes('\u001b[31merror:\u001b[0m')]).toEqual([
      true,
      true,
    ]);
  });

  it('reads .loupe.yaml strictly where it matters, and ignores what it does not know', () => {
    const id = '0192F3C4-5d6e-7f80-9123-456789abcdef';
    const read = (text: string) => {
      writeFileSync(join(folder, '.loupe.yaml'), text);
      return readProjectFile(folder);
    };
    expect(readProjectFile(join(folder, 'config'))).toEqual({ kind: 'missing' });
    expect(read(`project: ${id}\nmore: 1\n`)).toEqual({
      kind: 'good',
      project: id.toLowerCase(),
      instance: null,
    });
    for (const text of [
      '',
      'project: my-app',
      'project: [',
      `project: ${id}\ninstance: 3`,
      'x'.repeat(65 * 1024),
    ]) {
      expect(read(text).kind).toBe('broken');
    }
  });

  it('takes https anywhere and http on this machine alone', () => {
    expect(instanceUrl('https://loupe.example/')).toBe('https://loupe.example');
    expect(instanceUrl('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
    expect(instanceUrl('http://[::1]:3000/base/')).toBe('http://[::1]:3000/base');
    for (const text of [
      'http://loupe.example',
      'http://127.0.0.1.example',
      'ftp://a',
      'loupe',
      'https://a:b@c.example',
    ]) {
      expect(() => instanceUrl(text)).toThrow(expect.objectContaining({ exitCode: ExitCode.wrongUse }));
    }
  });

  it('guesses what was meant, and keeps quiet when nothing is near', () => {
    expect(nearest('lgoin', ['login', 'logout'])).toBe('login');
    expect(nearest('--jsno', ['--json', '--quiet'])).toBe('--json');
    expect(nearest('bridge', ['login', 'mcp'])).toBeNull();
  });

  it('knows which versions fit', () => {
    const table: [string, string, boolean][] = [
      ['1.0.0', '^1.0', true],
      ['1.4.2', '^1.2', true],
      ['1.1.9', '^1.2', false],
      ['2.0.0', '^1.0', false],
      ['0.1.7', '^0.1', true],
      ['0.2.0', '^0.1', false],
      ['1.0.0', 'anything', false],
    ];
    for (const [version, range, fit] of table)
      expect([version, range, fits(version, range)]).toEqual([version, range, fit]);
    expect(versionLine('1.0.0', 'abc')).toBe('loupe 1.0.0 (abc)');
    expect(versionLine(null, 'abc')).toBe('loupe abc');
  });

  it('cli 12.11: keeps servers, keys, indentation and the last line of .mcp.json', () => {
    expect(withLoupeServer('{\n\t"mcpServers": {"a": {"command": "a"}},\n\t"z": 1\n}')).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "a"\n\t\t},\n\t\t"loupe": {\n\t\t\t"command": "loupe",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t},\n\t"z": 1\n}',
    );
    const done = withLoupeServer(null);
    expect(withLoupeServer(done)).toBe(done);
    for (const text of ['{', '[]', '{"mcpServers": 3}'])
      expect(() => withLoupeServer(text)).toThrow(/\.mcp\.json/);
  });
});
