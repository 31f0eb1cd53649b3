import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserPath, describeInBrowser } from '../../../../../test/support/browser.js';
import { WebGuard } from '../web-guard.js';
import { ChromiumRenderer } from './chromium-renderer.js';
import { GuardedProxy } from './guarded-proxy.js';

interface Stub {
  readonly server: Server;
  readonly port: number;
  reached: number;
}

async function stub(answer: (url: string) => [type: string, body: string] | null): Promise<Stub> {
  const server = createServer((request, response) => {
    const found = answer(request.url!);
    if (found) response.writeHead(200, { 'content-type': found[0] }).end(found[1]);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const made: Stub = { server, port: (server.address() as AddressInfo).port, reached: 0 };
  server.on('connection', () => {
    made.reached += 1;
  });
  return made;
}

describe('the way out of the browser', () => {
  let forbidden: Stub;
  let allowed: Stub;

  beforeAll(async () => {
    forbidden = await stub(() => ['text/plain', 'secret']);
    allowed = await stub(() => ['text/plain', 'hello']);
  });

  afterAll(() => {
    for (const { server } of [forbidden, allowed]) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** What the proxy says to a head. */
  async function say(head: string): Promise<string> {
    const ending = new AbortController();
    const guard = new WebGuard([`site.example:${allowed.port}`], async (host) => [
      { address: host === 'site.example' ? '127.0.0.1' : '10.0.0.1', family: 4 },
    ]);
    const proxy = await GuardedProxy.open(guard, ending.signal);
    const [host, port] = proxy.address.split(':');
    const socket = connect({ host, port: Number(port) });
    let text = '';
    socket.on('error', () => undefined);
    socket.write(head);
    for await (const chunk of socket) {
      text += chunk;
      if (text.includes('hello') || text.includes('403') || text.includes('Established')) break;
    }
    socket.destroy();
    ending.abort();
    proxy.close();
    return text.split('\r\n')[0]!;
  }

  it('artifacts 15.27: leads to checked addresses and to no other, by request and by tunnel', async () => {
    const { port } = allowed;
    expect(await say(`GET http://site.example:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('200');
    expect(await say(`CONNECT site.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('Established');
    for (const target of [
      `127.0.0.1:${forbidden.port}`,
      `[::ffff:127.0.0.1]:${forbidden.port}`,
      'inside.example:80',
      'inside.example:22',
      '169.254.169.254:80',
    ]) {
      expect([target, await say(`GET http://${target}/ HTTP/1.1\r\nHost: x\r\n\r\n`)]).toEqual([
        target,
        'HTTP/1.1 403 Forbidden',
      ]);
      expect(await say(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).not.toContain('Established');
    }
    expect(await say('GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('403');
    expect(forbidden.reached).toBe(0);
  });
});

describeInBrowser('ChromiumRenderer', () => {
  let folder: string;
  let wrapper: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-browser-'));
    wrapper = join(folder, 'browser');
    // Tests may run as root, where the browser asks for this; an operator's browser keeps its sandbox.
    await writeFile(wrapper, `#!/bin/sh\nexec "${browserPath}" --no-sandbox "$@"\n`);
    await chmod(wrapper, 0o755);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('hands out what scripts have made, and lets them reach nothing inside', async () => {
    const forbidden = await stub(() => ['text/plain', 'secret']);
    const page = `<!doctype html><title>App</title><div id="root"></div><img src="http://127.0.0.1:${forbidden.port}/a.png">
<iframe src="http://localhost:${forbidden.port}/"></iframe><script>
(async () => {
  const said = await (await fetch('/data.json')).json();
  const inside = await fetch('http://127.0.0.1:${forbidden.port}/', { mode: 'no-cors' }).then((r) => r.type, () => 'refused');
  new WebSocket('ws://127.0.0.1:${forbidden.port}/');
  document.getElementById('root').innerHTML = '<h1>' + said.title + '</h1><p>' + inside + '</p>';
})();</script>`;
    const site = await stub((url) =>
      url === '/'
        ? ['text/html', page]
        : url === '/data.json'
          ? ['application/json', '{"title":"Made by script"}']
          : null,
    );
    const guard = new WebGuard([`127.0.0.1:${site.port}`]);
    const html = await new ChromiumRenderer(wrapper, guard).render(
      `http://127.0.0.1:${site.port}/`,
      new AbortController().signal,
    );
    expect(html).toContain('<h1>Made by script</h1>');
    expect(html).not.toContain('secret');
    expect(forbidden.reached).toBe(0);
    for (const { server } of [site, forbidden]) {
      server.closeAllConnections();
      server.close();
    }
  }, 60_000);

  it('a browser that is not there leaves the page as its server sends it', async () => {
    const renderer = new ChromiumRenderer(join(folder, 'none'), new WebGuard([]));
    expect(await renderer.render('http://example.com/', new AbortController().signal)).toBeNull();
  });
});
