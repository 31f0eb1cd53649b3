import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { applicationRoot } from '#libs/configuration/application-root.js';
import type { ResolveHost } from '#libs/outgoing/checked-route.js';
import { GuardedProxy } from '#src/artifacts/generation/infrastructure/browser/guarded-proxy.js';
import { GuardedPageFetcher } from '#src/artifacts/generation/infrastructure/guarded-page-fetcher.js';
import { WebGuard } from '#src/artifacts/generation/infrastructure/web-guard.js';
import { GuardedFetch } from '#src/identity/infrastructure/oauth/guarded-fetch.js';
import { TestAuthority } from '../support/certificates.js';

/** Names of this machine and of networks behind it, in every form that a resolver may give. */
const INSIDE = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  'fe80::1',
  'fe80::1%lo',
  'fd00:ec2::254',
  '64:ff9b::7f00:1',
  '64:ff9b::127.0.0.1',
  '2002:7f00:1::1',
  '2001:0:7f00:1::',
];

/** The same written into an address. */
const LITERALS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '127.0.0.1.',
  '127%2E0.0.1',
  '①②⑦.0.0.1',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
];

type Fetch = (url: string, resolve?: ResolveHost) => Promise<unknown>;

/** Whoever fetches what a stranger names. */
const CALLERS: Readonly<Record<string, Fetch>> = {
  'documents of apps': (url, resolve) => new GuardedFetch({ reach: 'public', resolve }).json(url),
  'imported pages': (url, resolve) =>
    new GuardedPageFetcher({ allow: [], proxy: null, resolve, timeoutMs: 3_000 }).fetch(url, {
      accept: 'text/html',
      maxBytes: 1_000,
      signal: new AbortController().signal,
    }),
  'the browser that draws pages': async (url, resolve) => {
    const ending = new AbortController();
    const proxy = await GuardedProxy.open(new WebGuard([], resolve), ending.signal);
    try {
      const { host } = new URL(url);
      for (const head of [
        `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ]) {
        const answer = await heard(proxy.address, head);
        if (/^HTTP\/1\.1 (?!4)/.test(answer)) return answer;
      }
      throw new Error('refused');
    } finally {
      ending.abort();
      proxy.close();
    }
  },
};

async function heard(address: string, head: string): Promise<string> {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port) });
  socket.on('error', () => undefined);
  socket.setTimeout(5_000, () => socket.destroy());
  socket.write(head);
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes('\r\n\r\n')) break;
  }
  socket.destroy();
  return text;
}

describe('fetches for strangers reach nothing inside', () => {
  let inside: Server;
  let port: number;
  let reached = 0;

  beforeAll(async () => {
    inside = createServer((_, response) => response.end('{"secret":true}'));
    inside.on('connection', () => {
      reached += 1;
    });
    // Both families, so that an IPv6 form of an IPv4 address would be served too.
    await new Promise<void>((done) => inside.listen(0, '::', done));
    port = (inside.address() as AddressInfo).port;
  });

  beforeEach(() => {
    reached = 0;
  });

  afterAll(() => {
    inside.closeAllConnections();
    inside.close();
  });

  it('the listener that must not be reached can be reached', async () => {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('secret');
    expect(reached).toBeGreaterThan(0);
  });

  describe.each(Object.entries(CALLERS))('%s', (_, call) => {
    it.each(INSIDE)(
      'identity 12.7: a name that leads to %s, alone or beside a public address',
      async (address) => {
        const entry = { address, family: address.includes(':') ? 6 : 4 };
        const outside = { address: '93.184.216.34', family: 4 };
        for (const answer of [[entry], [outside, entry], [entry, outside]]) {
          // The port is that of the listener where the door allows one at all.
          for (const url of [`https://inside.example:${port}/x`, 'http://inside.example/x']) {
            await expect(call(url, async () => answer)).rejects.toThrow();
          }
        }
        expect(reached).toBe(0);
      },
    );

    it.each(LITERALS)('identity 12.7: the host %s', async (host) => {
      for (const url of [`http://${host}:${port}/x`, `https://${host}:${port}/x`, `http://${host}/x`]) {
        await expect((async () => call(url))()).rejects.toThrow();
      }
      expect(reached).toBe(0);
    });
  });
});

/** Over TLS, as strangers are really asked, with an authority that the process trusts like any other. */
describe('fetches over https', () => {
  const authority = new TestAuthority();
  const stranger = new TestAuthority('Nobody knows this authority');
  let folder: string;
  const servers: Server[] = [];
  const names: unknown[] = [];
  let ports: Record<'good' | 'otherName' | 'unknown' | 'old' | 'leads', number>;
  let proxy: Server;
  let proxied: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-ca-'));
    await writeFile(join(folder, 'ca.pem'), authority.cert);
    const serve = async (pair: { cert: string; key: string }, location?: string) => {
      const server = createSecureServer(pair, (request, response) => {
        names.push([
          (request.socket as TLSSocket & { servername?: string }).servername,
          request.headers.host,
        ]);
        if (location) response.writeHead(302, { location }).end();
        else response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":true}');
      });
      server.on('tlsClientError', () => undefined);
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return (server.address() as AddressInfo).port;
    };
    const good = await serve(authority.issue('site.example'));
    ports = {
      good,
      otherName: await serve(authority.issue('other.example')),
      unknown: await serve(stranger.issue('site.example')),
      old: await serve(authority.issue('site.example', { days: -1 })),
      leads: await serve(authority.issue('site.example'), `https://inside.example:${good}/`),
    };
    proxy = createServer();
    proxy.on('connect', (request, socket) => {
      proxied.push(request.url ?? '');
      // Wherever the way should lead, it ends at a server of this test.
      const onward = connect({ host: '127.0.0.1', port: Number(request.headers['x-port'] ?? proxyTarget) });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  }, 30_000);

  let proxyTarget = 0;

  beforeEach(() => {
    names.length = 0;
    proxied = [];
  });

  afterAll(async () => {
    for (const server of [...servers, proxy]) {
      server?.closeAllConnections();
      server?.close();
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** What the built server's own fetchers say, in a process that trusts the authority of the test. */
  async function outcomes(tries: readonly object[]): Promise<string[]> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['test/support/outgoing-child.mjs', JSON.stringify(tries)],
      { cwd: applicationRoot, env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } },
    );
    return JSON.parse(stdout) as string[];
  }

  const addresses = { 'site.example': ['127.0.0.1'], 'inside.example': ['127.0.0.1'] };
  const page = (port: number) => ({
    kind: 'page',
    url: `https://site.example:${port}/a`,
    allow: [`site.example:${port}`],
    addresses,
  });
  const document = (port: number) => ({
    kind: 'document',
    url: `https://site.example:${port}/a`,
    reach: 'loopback',
    addresses,
  });

  it('read pages and documents by name, and the server hears the name', async () => {
    expect(await outcomes([page(ports.good), document(ports.good)])).toEqual([
      '{"hello":true}',
      '{"hello":true}',
    ]);
    const heardAs = ['site.example', `site.example:${ports.good}`];
    expect(names).toEqual([heardAs, heardAs]);
  }, 60_000);

  it('refuse certificates of another name, of an unknown authority and of another time', async () => {
    const kinds = [ports.otherName, ports.unknown, ports.old];
    const seen = await outcomes([...kinds.map(page), ...kinds.map(document)]);
    const why = [/ERR_TLS_CERT_ALTNAME_INVALID$/, /UNABLE_TO|SELF_SIGNED/, /CERT_HAS_EXPIRED$/];
    for (const [at, outcome] of seen.entries()) {
      expect(outcome).toMatch(at < 3 ? /^PageRefused: / : /^FetchRefused: /);
      expect(outcome).toMatch(why[at % 3]!);
    }
    expect(names).toEqual([]);
  }, 60_000);

  it('follow no redirect of a good server to a name that leads inside', async () => {
    expect(await outcomes([page(ports.leads), document(ports.leads)])).toEqual([
      'PageRefused: It is not a public http or https address.',
      'FetchRefused: it redirects to another address',
    ]);
    expect(names).toHaveLength(2);
  }, 60_000);

  it('identity 12.7: through a proxy the address that was checked is reached, though the name leads inside a moment later', async () => {
    const through = (kind: string) => ({
      kind,
      url: 'https://site.example/a',
      proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      addresses: { 'site.example': [['93.184.216.34'], ['127.0.0.1']] },
    });
    proxyTarget = ports.good;
    expect(await outcomes([through('page'), through('document')])).toEqual([
      '{"hello":true}',
      '{"hello":true}',
    ]);
    // The certificate must still be that of the name.
    proxyTarget = ports.otherName;
    for (const outcome of await outcomes([through('page'), through('document')]))
      expect(outcome).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID$/);
    expect(new Set(proxied)).toEqual(new Set(['93.184.216.34:443']));
  }, 60_000);
});
