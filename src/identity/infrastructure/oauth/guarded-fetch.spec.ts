import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResolvedAddress } from '#libs/outgoing/checked-route.js';
import { FetchRefused, GuardedFetch } from './guarded-fetch.js';

const addressed = (...addresses: string[]): readonly ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('GuardedFetch', () => {
  let server: Server;
  let port: number;
  let listener: RequestListener;
  let connections = 0;

  beforeAll(async () => {
    server = createServer((request, response) => listener(request, response));
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    connections = 0;
    listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
  });

  const onThisMachine = (): GuardedFetch =>
    new GuardedFetch({ reach: 'loopback', hostMap: { 'client.example': `http://127.0.0.1:${port}` } });
  const reason = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no refusal',
      (error) => (error instanceof FetchRefused ? error.message : String(error)),
    );

  it('identity 12.7: refuses a name when any of its addresses is not public, and opens no connection', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['fd00::1'],
      ['8.8.8.8', '127.0.0.1'],
    ]) {
      const guarded = new GuardedFetch({ reach: 'public', resolve: async () => addressed(...addresses) });
      expect(await reason(guarded.json(`https://client.example:${port}/x`))).toBe(
        'its host name leads to an address that is not public',
      );
    }
    expect(connections).toBe(0);
  });

  it('identity 12.7: asks for the addresses once, so a name that changes in between reaches nothing else', async () => {
    let asked = 0;
    const guarded = new GuardedFetch({
      reach: 'loopback',
      resolve: async () => {
        asked += 1;
        return addressed(asked === 1 ? '127.0.0.1' : '10.0.0.1');
      },
    });
    const { document } = await guarded.json(`http://rebinding.invalid:${port}/x`);
    expect([document, asked, connections]).toEqual([{ a: 1 }, 1, 1]);
  });

  it('reaches nothing but this machine in the test profile', async () => {
    const guarded = new GuardedFetch({ reach: 'loopback', resolve: async () => addressed('8.8.8.8') });
    expect(await reason(guarded.json('https://client.example/x'))).toContain('not public');
  });

  it('does not use the map of hosts outside the test profile', async () => {
    const guarded = new GuardedFetch({
      reach: 'public',
      hostMap: { 'client.example': `http://127.0.0.1:${port}` },
      resolve: async () => addressed('127.0.0.1'),
    });
    expect(await reason(guarded.json('https://client.example/x'))).toContain('not public');
    expect(connections).toBe(0);
  });

  it('sends neither cookies nor credentials, and asks for JSON in plain form', async () => {
    let headers: Record<string, unknown> = {};
    listener = (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=9' }).end('{}');
    };
    const fetched = await onThisMachine().json('https://client.example/x');
    expect(fetched).toEqual({ document: {}, cacheControl: 'max-age=9', expires: null });
    expect(headers).toMatchObject({ host: 'client.example', accept: 'application/json' });
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });

  it('identity 12.8: follows no redirect, reads at most 5 KB, waits at most 2.5 s, and takes JSON alone', async () => {
    const answers: [RequestListener, string][] = [
      [(_, response) => response.writeHead(301, { location: '/y' }).end(), 'it redirects to another address'],
      [(_, response) => response.writeHead(500).end(), 'it answered with status 500'],
      [(_, response) => response.writeHead(204).end(), 'it answered with status 204'],
      [
        (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('{}'),
        'it did not answer with JSON',
      ],
      [
        (_, response) => response.writeHead(200, { 'content-type': 'application/jsonp' }).end('{}'),
        'it did not answer with JSON',
      ],
      [
        (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
        'it did not answer with JSON',
      ],
      [
        (_, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify('x'.repeat(5_120))),
        'it is larger than 5 KB',
      ],
      [
        (_, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
            .end('x'),
        'it answered in a compressed form',
      ],
      [
        // Drips for ever: each piece comes in time, the whole does not.
        (request, response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const drip = setInterval(() => response.write(' '), 100);
          request.on('close', () => clearInterval(drip));
        },
        'it did not answer within 2.5 seconds',
      ],
      [(_, response) => response.destroy(), 'the connection to its host failed'],
    ];
    for (const [answer, expected] of answers) {
      listener = answer;
      expect(await reason(onThisMachine().json('https://client.example/x'))).toBe(expected);
    }
  });

  it('takes a document of exactly 5 KB and media types that end in +json', async () => {
    listener = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/oauth-client+json; charset=utf-8' })
        .end(JSON.stringify('x'.repeat(5_118)));
    expect((await onThisMachine().json('https://client.example/x')).document).toHaveLength(5_118);
  });

  it('says so when the name is unknown or its look-up takes too long', async () => {
    const failing = new GuardedFetch({
      reach: 'public',
      resolve: () => Promise.reject(new Error('ENOTFOUND')),
    });
    expect(await reason(failing.json('https://client.example/x'))).toBe('its host name is unknown');
    const slow = new GuardedFetch({ reach: 'public', resolve: () => new Promise(() => undefined) });
    expect(await reason(slow.json('https://client.example/x'))).toBe('it did not answer within 2.5 seconds');
  });

  it('gives a proxy the checked address, so that it has no name to resolve', async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const guarded = new GuardedFetch({
      reach: 'public',
      proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      resolve: async () => addressed('93.184.216.34'),
    });
    expect(await reason(guarded.json('https://client.example/x'))).toBe('the connection to its host failed');
    expect(asked).toEqual(['93.184.216.34:443']);
    proxy.close();
  });
});
