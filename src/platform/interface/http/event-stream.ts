import type { HttpResponse } from '#libs/http/exchange.js';
import type { LiveEvent } from '../../application/ports/live-feed.js';
import type { StreamSink } from '../../application/queries/open-live-stream.js';

const HEARTBEAT_MS = 15_000;
/** A page that takes nothing off for so long is not there any more; it comes back with its cursor. */
const BACKLOG_BYTES = 1_048_576;

/**
 * Server-sent events on one response. The head goes out with the first word, so that a refusal before it can still be
 * answered as usual.
 */
export class EventStream implements StreamSink {
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    private readonly response: HttpResponse,
    private readonly onOverflow: () => void,
  ) {}

  update({ cursor, at, ...event }: LiveEvent): void {
    this.send(
      `id: ${cursor}\nevent: update\ndata: ${JSON.stringify({ ...event, at: at.toISOString() })}\n\n`,
    );
  }

  resync(cursor: string): void {
    this.send(`id: ${cursor}\nevent: resync\ndata: {}\n\n`);
  }

  position(cursor: string): void {
    this.send(`id: ${cursor}\n\n`);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.timer);
    if (!this.response.headersSent) return;
    // Between 1 and 5 s, so that not all pages come back at the same moment after a deploy.
    this.response.end(`retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n\n`);
  }

  private send(text: string): void {
    if (this.ended) return;
    if (!this.response.headersSent) this.open();
    this.response.write(text);
    if (this.response.writableLength > BACKLOG_BYTES) this.onOverflow();
  }

  private open(): void {
    this.response.status(200);
    this.response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    this.response.setHeader('Cache-Control', 'no-store, no-transform');
    this.response.setHeader('X-Accel-Buffering', 'no');
    this.response.flushHeaders();
    this.timer = setInterval(() => this.send(': still here\n\n'), HEARTBEAT_MS);
  }
}
