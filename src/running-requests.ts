import type { Server, ServerResponse } from 'node:http';

/**
 * The requests that a server is answering, so that a stop can wait for them, and so that no further one comes in over a
 * connection that is about to be cut.
 */
export class RunningRequests {
  private readonly running = new Set<ServerResponse>();
  private leaving = false;
  private tell: () => void = () => undefined;

  constructor(private readonly server: Server) {
    // Before the application, which may answer at once.
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.running.add(response);
      if (this.leaving) response.setHeader('Connection', 'close');
      response.once('close', () => {
        this.running.delete(response);
        if (this.running.size === 0) this.tell();
      });
    });
  }

  /**
   * From now on every answer tells its client to come back on a new connection, which leads to another process once this
   * one listens no more. A connection that stayed open would bring a request whose answer nobody is there to give.
   */
  sendElsewhere(): void {
    this.leaving = true;
    for (const response of this.running) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }

  /** Done when none runs any more, or after `limitMs` milliseconds. */
  async ended(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, limitMs);
    });
    const none = new Promise<void>((done) => {
      this.tell = done;
      if (this.running.size === 0) done();
    });
    await Promise.race([none, late]);
    clearTimeout(timer);
    // Those whose last answer had begun before the stop.
    this.server.closeIdleConnections();
  }
}
