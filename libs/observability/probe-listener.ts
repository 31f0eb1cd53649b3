import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { notFound, type ProbeAnswer, Probes } from './probes.js';

/** The probes of a process that serves nobody else: a worker. */
@Injectable()
export class ProbeListener implements OnApplicationShutdown {
  private readonly logger = new Logger(ProbeListener.name);
  private server: Server | null = null;

  constructor(private readonly probes: Probes) {}

  /** @throws the error of the system, such as `EADDRINUSE` */
  async listen(port: number, host: string): Promise<void> {
    const server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, host, done);
    });
    this.server = server;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.answerTo(request).catch((error: Error) => {
      this.logger.error(error.message, error.stack);
      return { status: 503, headers: {}, body: '' };
    });
    response.writeHead(status, headers).end(body);
  }

  private async answerTo({ method, url, headers }: IncomingMessage): Promise<ProbeAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return notFound();
    switch (url?.split('?')[0]) {
      case '/livez':
        return this.probes.livez();
      case '/healthz':
        return this.probes.healthz(headers['loupe-probe-token']?.toString());
      case '/metrics':
        return this.probes.prometheus(headers.authorization);
      default:
        return notFound();
    }
  }
}
