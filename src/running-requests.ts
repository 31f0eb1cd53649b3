import type { Server, ServerResponse } from 'node:http';

/** Counts the requests that a server is answering, so that a stop can wait for them. */
export class RunningRequests {
  private count = 0;
  private tell: () => void = () => undefined;

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      this.count += 1;
      response.once('close', () => {
        this.count -= 1;
        if (this.count === 0) this.tell();
      });
    });
  }

  /** Done when none runs any more, or after `limitMs` milliseconds. */
  async ended(limitMs: number): Promise<void> {
    if (this.count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.tell = done;
      timer = setTimeout(done, limitMs);
    });
    clearTimeout(timer);
  }
}
