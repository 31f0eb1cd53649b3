import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Handler = (seen: Seen, response: ServerResponse) => unknown;

/** A server on the loopback that answers as a test wants and remembers what it was asked. */
export class FakeServer {
  readonly seen: Seen[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private handler: Handler,
  ) {}

  static async start(handler: Handler = (_, response) => response.writeHead(404).end()): Promise<FakeServer> {
    let fake: FakeServer | null = null;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const seen: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      fake!.seen.push(seen);
      await fake!.handler(seen, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    fake = new FakeServer(server, `http://127.0.0.1:${port}`, handler);
    return fake;
  }

  answer(handler: Handler): void {
    this.handler = handler;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
