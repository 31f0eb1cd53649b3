import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { FakeServer, sendJson } from '#libs/cli/testing/fake-server.js';
import { CliMachine } from '../support/cli-machine.js';

/** The built command against servers that answer as a real one rarely does. */
describe('loupe and odd servers', () => {
  let server: FakeServer;
  let machine: CliMachine;
  let me: { status: number; body: unknown };
  let expiresIn: number;
  let token: { status: number; body: unknown };

  beforeEach(async () => {
    machine = new CliMachine();
    expiresIn = 60;
    token = {
      status: 200,
      body: { access_token: 'new-access', refresh_token: 'new-refresh', expires_in: 3600 },
    };
    me = {
      status: 200,
      body: {
        person: { id: 'p', displayName: 'Ada' },
        connection: { id: 'c', label: null, expiresAt: '2027-01-01T00:00:00Z' },
        projects: [],
      },
    };
    server = await FakeServer.start((seen, response) => {
      if (seen.path === '/oauth/device-authorization') {
        return sendJson(response, 200, {
          device_code: 'device',
          user_code: 'BCDF-GHJK',
          verification_uri: 'https://x/oauth/device',
          expires_in: expiresIn,
          interval: 1,
        });
      }
      if (seen.path === '/oauth/token') return sendJson(response, token.status, token.body);
      return seen.path === '/api/me' ? sendJson(response, me.status, me.body) : response.writeHead(404).end();
    });
  });

  afterEach(async () => {
    machine.remove();
    await server.stop();
  });

  const stored = () => readFileSync(join(machine.config, 'config.json'), 'utf8');

  it('cli 12.36: asks GET /api/me before it writes; a sign-in that is refused there leaves the old file as it was', async () => {
    machine.signIn(server.url, { accessToken: 'old-access', refreshToken: 'old-refresh' });
    const before = stored();
    for (const [status, body, code] of [
      [403, { error: 'insufficient_scope' }, 3],
      [500, {}, 5],
      [200, { hello: 'world' }, 1],
    ] as const) {
      me = { status, body };
      expect([status, (await machine.run(['login', '--url', server.url])).code]).toEqual([status, code]);
      expect(stored()).toBe(before);
    }
    const last = server.seen.at(-1)!;
    expect([last.path, last.headers.authorization]).toEqual(['/api/me', 'Bearer new-access']);
  });

  it('cli 12.4: a code that ends before anybody answered is exit 3 and writes nothing', async () => {
    expiresIn = 1;
    token = { status: 400, body: { error: 'authorization_pending' } };
    const { code, stderr } = await machine.run(['login', '--url', server.url]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('the code has ended')]);
    expect(existsSync(join(machine.config, 'config.json'))).toBe(false);
  });

  it('cli 12.4: four processes that refresh at once make one exchange, and all go on', async () => {
    machine.signIn(server.url, {
      accessToken: 'old-access',
      refreshToken: 'old-refresh',
      expiresAt: new Date(Date.now() + 30_000).toISOString(),
    });
    server.answer((seen, response) => {
      if (seen.path === '/oauth/token') return setTimeout(() => sendJson(response, 200, token.body), 300);
      const known = seen.headers.authorization === 'Bearer new-access';
      return known ? sendJson(response, 200, me.body) : response.writeHead(401).end();
    });
    const ended = await Promise.all([1, 2, 3, 4].map(() => machine.run(['artifact', 'list'])));
    // Signed in, but of no project.
    expect(ended.map(({ code }) => code)).toEqual([4, 4, 4, 4]);
    const exchanges = server.seen.filter(({ path }) => path === '/oauth/token');
    expect(exchanges.map(({ body }) => new URLSearchParams(body.toString()).get('refresh_token'))).toEqual([
      'old-refresh',
    ]);
    expect(JSON.parse(stored()).instances[server.url]).toMatchObject({ refreshToken: 'new-refresh' });
    expect(existsSync(join(machine.config, 'config.lock'))).toBe(false);
  });

  it('names the machine, and tells --debug every request without tokens and queries', async () => {
    const { code, stderr } = await machine.run(['login', '--url', server.url, '--debug']);
    expect(code).toBe(0);
    const form = new URLSearchParams(server.seen[0]!.body.toString());
    expect([form.get('client_id'), form.get('scope'), form.get('device_name')]).toEqual([
      'loupe-cli',
      'agent mcp projects',
      expect.stringMatching(/^[^.]+$/),
    ]);
    expect(stderr).toMatch(/^debug: POST http:\/\/127\.0\.0\.1:\d+\/oauth\/token 200 \d+ ms$/m);
    expect(stderr).not.toMatch(/new-access|new-refresh|device_code/);
  });

  it('config.json that is broken is moved away, and counts as not signed in', async () => {
    machine.signIn(server.url, { accessToken: 'a', refreshToken: 'r' });
    const path = join(machine.config, 'config.json');

    writeFileSync(path, '{"instances":');
    expect((await machine.run(['artifact', 'list'])).code).toBe(3);
    expect([existsSync(path), readFileSync(`${path}.bad`, 'utf8')]).toEqual([false, '{"instances":']);
  });

  it('follows no redirect to another origin with its token', async () => {
    const other = await FakeServer.start((_, response) => sendJson(response, 200, me.body));
    machine.signIn(server.url, { accessToken: 'secret', refreshToken: 'r' });
    server.answer((_, response) => response.writeHead(307, { location: `${other.url}/api/me` }).end());
    expect((await machine.run(['project', 'link'])).code).toBe(1);
    expect(other.seen).toEqual([]);
    await other.stop();
  });

  it('says exit 6 when the server does not fit', async () => {
    machine.signIn(server.url, { accessToken: 'a', refreshToken: 'r' });
    server.answer((_, response) =>
      sendJson(response, 426, { error: 'upgrade', message: 'This loupe is too old.' }),
    );
    const { code, stderr } = await machine.run(['project', 'link']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('This loupe is too old')]);
  });

  it('goes through the proxy of the environment, and past it where NO_PROXY says so', async () => {
    const asked: string[] = [];
    const proxy: Server = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url!);
      const [host, port] = request.url!.split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
      socket.on('error', () => target.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
    machine.signIn(server.url, { accessToken: 'a', refreshToken: 'r' });
    const push = (env: Record<string, string>) => machine.run(['artifact', 'list'], env);
    const through = await push({ HTTP_PROXY: address, HTTPS_PROXY: address });
    expect([through.code, asked]).toEqual([4, [new URL(server.url).host]]);
    const past = await push({ HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: '127.0.0.1' });
    expect([past.code, asked.length]).toEqual([4, 1]);
    proxy.close();
    proxy.closeAllConnections();
  });
});
