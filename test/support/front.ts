import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './until.js';

const LOOK_MS = 200;

interface Target {
  readonly port: number;
  healthy: boolean;
  readonly agent: Agent;
}

/**
 * What stands before several web processes: each request goes to the next one that is healthy. It takes another one only
 * where nothing can have happened yet, which is when the connection was refused; a request that was cut off amid is
 * answered with 502, as proxies do for what may not be sent twice.
 */
export class Front {
  readonly figures = { requests: 0, refused: 0, cut: 0, nobody: 0 };
  private readonly targets: Target[] = [];
  private turn = 0;
  private stopped = false;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<Front> {
    const server = createServer();
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new Front(`http://localhost:${(server.address() as AddressInfo).port}`, server);
    server.on('request', (incoming, outgoing) => front.pass(incoming, outgoing));
    return front;
  }

  /** Sends requests to these ports from now on, as long as `/healthz` says so. */
  serve(ports: readonly number[]): void {
    for (const port of ports) {
      const target = { port, healthy: true, agent: new Agent({ keepAlive: true }) };
      this.targets.push(target);
      void this.watch(target);
    }
  }

  isHealthy(port: number): boolean {
    return this.targets.some((target) => target.port === port && target.healthy);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const { agent } of this.targets) agent.destroy();
    this.server.close();
    this.server.closeAllConnections();
  }

  private async watch(target: Target): Promise<void> {
    while (!this.stopped) {
      const answer = await fetch(`http://localhost:${target.port}/healthz`).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      target.healthy = answer?.ok ?? false;
      await pause(LOOK_MS);
    }
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.figures.requests += 1;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => this.send(incoming, Buffer.concat(chunks), outgoing, this.targets.length));
  }

  private send(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tries: number): void {
    const target = tries > 0 ? this.next() : undefined;
    if (!target) {
      this.figures.nobody += 1;
      outgoing.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('Nobody is there.');
      return;
    }
    const upstream = request({
      host: '127.0.0.1',
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      agent: target.agent,
      headers: {
        ...incoming.headers,
        connection: 'keep-alive',
        'x-forwarded-for': String(incoming.headers['x-forwarded-for'] ?? incoming.socket.remoteAddress),
      },
    });
    upstream.on('response', (answer) => {
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode!, headers);
      // Streams show each word as it comes.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) {
        outgoing.destroy();
      } else if (error.code === 'ECONNREFUSED') {
        target.healthy = false;
        this.figures.refused += 1;
        this.send(incoming, body, outgoing, tries - 1);
      } else {
        this.figures.cut += 1;
        outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`Cut off: ${error.code}`);
      }
    });
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
    upstream.end(body);
  }

  private next(): Target | undefined {
    const healthy = this.targets.filter((target) => target.healthy);
    this.turn += 1;
    return healthy[this.turn % Math.max(1, healthy.length)];
  }
}
