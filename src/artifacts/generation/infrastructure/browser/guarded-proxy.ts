import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebGuard } from '../web-guard.js';

const MAX_SOCKETS = 64;
const MAX_BYTES = 60 * 1024 * 1024;

/**
 * The only way out of the browser: an HTTP proxy on the loopback that connects to checked addresses alone, and carries no
 * more than 60 MiB. It lives for one page.
 */
export class GuardedProxy {
  private readonly sockets = new Set<Duplex>();
  private bytes = 0;

  private constructor(
    private readonly server: Server,
    private readonly guard: WebGuard,
    private readonly signal: AbortSignal,
  ) {}

  static async open(guard: WebGuard, signal: AbortSignal): Promise<GuardedProxy> {
    const server = createServer();
    const proxy = new GuardedProxy(server, guard, signal);
    server.on('connection', (socket) => proxy.track(socket));
    server.on('request', (asked, answer) => void proxy.forward(asked, answer).catch(() => refuse(answer)));
    server.on('connect', (asked, socket) => void proxy.tunnel(asked, socket).catch(() => socket.destroy()));
    server.on('upgrade', (_, socket) => socket.destroy());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const address = asked.url ?? '';
    if (!this.guard.accepts(address) || !address.startsWith('http:')) return refuse(answer);
    const url = new URL(address);
    const { address: host } = await this.guard.addressFor(url, this.signal);
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = asked.headers;
    const onward = request(
      {
        host,
        port: url.port || 80,
        method: asked.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, connection: 'close' },
        signal: this.signal,
        agent: false,
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.on('data', (chunk: Buffer) => this.count(chunk));
        response.pipe(answer);
      },
    );
    onward.on('error', () => refuse(answer));
    onward.on('socket', (socket) => this.track(socket));
    asked.pipe(onward);
  }

  private async tunnel(asked: IncomingMessage, socket: Duplex): Promise<void> {
    socket.on('error', () => socket.destroy());
    const address = `https://${asked.url}/`;
    if (!this.guard.accepts(address)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const url = new URL(address);
    const { address: host } = await this.guard.addressFor(url, this.signal);
    const onward: Socket = connect({ host, port: Number(url.port) || 443, signal: this.signal });
    this.track(onward);
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.on('data', (chunk: Buffer) => this.count(chunk));
      onward.pipe(socket);
      socket.pipe(onward);
    });
  }

  private count(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_BYTES) this.close();
  }

  private track(socket: Duplex): void {
    if (this.sockets.size >= 2 * MAX_SOCKETS) {
      socket.destroy();
      return;
    }
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

function refuse(answer: ServerResponse): void {
  if (!answer.headersSent) answer.writeHead(403);
  answer.end();
}
