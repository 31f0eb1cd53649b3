import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ResolveHost } from '#libs/outgoing/checked-route.js';
import { PageRefused } from '../application/ports/page-fetcher.js';
import { GuardedPageFetcher } from './guarded-page-fetcher.js';

const PUBLIC_ADDRESS = [{ address: '93.184.216.34', family: 4 }];

/** Two servers of the test: one that the fetcher may read, and one that no request may ever reach. */
describe('GuardedPageFetcher', () => {
  let site: Server;
  let target: Server;
  let sitePort: number;
  let targetPort: number;
  let listener: RequestListener;
  let reached = 0;

  const listen = (server: Server) =>
    new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
    );

  beforeAll(async () => {
    site = createServer((request, response) => listener(request, response));
    target = createServer((_, response) => response.end('secret'));
    target.on('connection', () => {
      reached += 1;
    });
    sitePort = await listen(site);
    targetPort = await listen(target);
  });

  beforeEach(() => {
    reached = 0;
    listener = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset="utf-8"' }).end('<p>hello');
  });

  afterAll(() => {
    for (const server of [site, target]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const fetcher = (options: { resolve?: ResolveHost; timeoutMs?: number; allow?: string[] } = {}) =>
    new GuardedPageFetcher({ allow: [`site.example:${sitePort}`], proxy: null, resolve: toSite, ...options });
  const toSite: ResolveHost = async (host) =>
    host === 'site.example' ? [{ address: '127.0.0.1', family: 4 }] : PUBLIC_ADDRESS;
  const wanted = (maxBytes = 100_000) => ({
    accept: 'text/html',
    maxBytes,
    signal: new AbortController().signal,
  });
  const reason = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no refusal',
      (error) => (error instanceof PageRefused ? error.message : `fault: ${error}`),
    );
  const read = (path = '/', options?: Parameters<typeof fetcher>[0], maxBytes?: number) =>
    fetcher(options).fetch(`http://site.example:${sitePort}${path}`, wanted(maxBytes));
  const redirectsTo = (location: string) => {
    listener = (_, response) => response.writeHead(302, { location }).end();
  };

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'example.com',
    '//example.com/',
    '',
    'http://',
    'http://user@example.com/',
    'http://user:word@example.com/',
    'http://example.com:8080/',
    'https://example.com:22/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://app.localhost/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    `http://example.com/${'x'.repeat(2_048)}`,
  ])('artifacts 15.27: %s is refused by its form', async (address) => {
    expect(fetcher().accepts(address)).toBe(false);
    expect(await reason(fetcher().fetch(address, wanted()))).toBe(
      'It is not a public http or https address.',
    );
  });

  it.each(['http://example.com/', 'https://example.com:443/a?b=c', 'http://93.184.216.34/'])(
    '%s may be fetched',
    (address) => expect(fetcher().accepts(address)).toBe(true),
  );

  it('reads a page with a plain request', async () => {
    let headers: Record<string, unknown> = {};
    listener = (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'content-type': 'Text/HTML; charset="UTF-8"' }).end('<p>hello');
    };
    const page = await read('/a?b=c#d');
    expect({ ...page, bytes: page.bytes.toString() }).toEqual({
      url: `http://site.example:${sitePort}/a?b=c#d`,
      contentType: 'text/html',
      charset: 'UTF-8',
      bytes: '<p>hello',
    });
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(headers.host).toBe(`site.example:${sitePort}`);
  });

  it.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['fd00:ec2::254'],
    ['::ffff:7f00:1'],
    ['93.184.216.34', '127.0.0.1'],
  ])('artifacts 15.27: a name that leads to %s is refused without a connection', async (...addresses) => {
    const resolve: ResolveHost = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await reason(fetcher({ resolve }).fetch('http://inside.example/', wanted()))).toBe(
      'It is not a public http or https address.',
    );
  });

  it('artifacts 15.27: a page that redirects inside fails, and no request reaches the target', async () => {
    for (const location of [
      `http://127.0.0.1:${targetPort}/`,
      `//127.0.0.1:${targetPort}/`,
      'http://169.254.169.254/',
      `http://[::1]:${targetPort}/`,
      'file:///etc/passwd',
    ]) {
      redirectsTo(location);
      expect(await reason(read())).toBe('It is not a public http or https address.');
    }
    expect(reached).toBe(0);
  });

  it('artifacts 15.27: a name that changes between two requests of one chain is checked each time', async () => {
    let asked = 0;
    const resolve: ResolveHost = async (host) => {
      if (host === 'site.example') return [{ address: '127.0.0.1', family: 4 }];
      asked += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    redirectsTo('http://rebinding.example/');
    expect(await reason(read('/', { resolve }))).toBe('It is not a public http or https address.');
    expect([asked, reached]).toEqual([1, 0]);
  });

  it('artifacts 15.27: looks a name up once and connects to what was checked', async () => {
    let asked = 0;
    const resolve: ResolveHost = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    expect((await read('/', { resolve })).bytes.toString()).toBe('<p>hello');
    expect(asked).toBe(1);
  });

  it('an exempt pair opens that port of that host alone', async () => {
    const options = { allow: [`site.example:${sitePort}`], resolve: toSite };
    expect(fetcher(options).accepts(`http://site.example:${targetPort}/`)).toBe(false);
    expect(fetcher(options).accepts(`http://127.0.0.1:${sitePort}/`)).toBe(false);
  });

  it('follows five redirects and no sixth', async () => {
    listener = (request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) response.writeHead(200).end('there');
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    };
    expect((await read('/5')).url).toBe(`http://site.example:${sitePort}/0`);
    expect(await reason(read('/6'))).toBe('It redirects more than 5 times.');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('inflates %s, and counts what comes out', async (encoding, compress) => {
    listener = (request, response) => {
      const size = Number(request.url!.slice(1));
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.alloc(size, 'x')));
    };
    expect((await read('/100000')).bytes).toHaveLength(100_000);
    expect(await reason(read('/100001'))).toBe('It is larger than 100000 bytes.');
  });

  it('a bomb of 1 GB in 1 MB is cut at the limit, with memory flat', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    listener = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      for (let i = 0; i < 16; i += 1) response.write(bomb);
      response.end();
    };
    const before = process.memoryUsage().rss;
    expect(await reason(read('/', {}, 10 * 1024 * 1024))).toBe('It is larger than 10485760 bytes.');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('refuses what is too large, endless, slow, broken or gone', async () => {
    const answers: [RequestListener, string][] = [
      [(_, response) => response.end('x'.repeat(100_001)), 'It is larger than 100000 bytes.'],
      [
        (request, response) => {
          const more = setInterval(() => response.write('x'.repeat(50_000)), 5);
          request.on('close', () => clearInterval(more));
        },
        'It is larger than 100000 bytes.',
      ],
      [
        (request, response) => {
          const drip = setInterval(() => response.write('x'), 50);
          request.on('close', () => clearInterval(drip));
        },
        'It did not answer within 1 seconds.',
      ],
      [() => undefined, 'It did not answer within 1 seconds.'],
      [(_, response) => response.writeHead(404).end(), 'It answered with status 404.'],
      [(_, response) => response.writeHead(302).end(), 'It redirects to nowhere.'],
      [(_, response) => response.destroy(), 'Its server could not be read.'],
      [
        (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
        'Its server could not be read.',
      ],
      [
        (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x'),
        'It answered in an unknown compressed form.',
      ],
    ];
    for (const [answer, expected] of answers) {
      listener = answer;
      expect(await reason(read('/', { timeoutMs: 1_000 }))).toBe(expected);
    }
  });

  it('stops when the time of the whole job is over', async () => {
    listener = () => undefined;
    const late = { ...wanted(), signal: AbortSignal.timeout(100) };
    expect(await reason(fetcher().fetch(`http://site.example:${sitePort}/`, late))).toBe(
      'The time for fetching was over.',
    );
  });

  it('an unknown name is said to be unknown', async () => {
    const resolve: ResolveHost = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await reason(fetcher({ resolve }).fetch('http://nobody.example/', wanted()))).toBe(
      'Its host name is unknown.',
    );
  });
});
