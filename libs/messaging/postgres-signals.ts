import pg from 'pg';
import { type SignalChannel, type SignalPayload, Signals } from '#libs/kernel/ports/signals.js';
import type { Database } from '#libs/persistence/database.js';
import { SignalHandlers } from './signal-handlers.js';

const CHANNELS: readonly SignalChannel[] = ['flags', 'live', 'access', 'push', 'outbox', 'artifact_status'];
const PREFIX = 'loupe_';
const MAX_BYTES = 1_000;
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 10_000;

export interface PostgresSignalsOptions {
  /** Address of the server itself: LISTEN does not work through a pooler in transaction mode. */
  readonly directUrl: string;
  readonly log: (message: string, error?: unknown) => void;
}

/**
 * Signals over LISTEN/NOTIFY on one dedicated connection (`platform.md` 8.4). A lost connection is made again after
 * 0.5 to 10 seconds with jitter, and every `onResync` handler is called, for what was sent meanwhile is gone.
 */
export class PostgresSignals extends Signals {
  private readonly handlers: SignalHandlers;
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | null = null;
  private failures = 0;
  private stopped = false;
  private everConnected = false;

  constructor(
    private readonly database: Database,
    private readonly options: PostgresSignalsOptions,
  ) {
    super();
    this.handlers = new SignalHandlers((error) => options.log('A signal handler failed', error));
  }

  override get connected(): boolean {
    return this.client !== null;
  }

  /** Listens once the promise is done; a server that is away is tried again in the background. */
  async start(): Promise<void> {
    await this.listen();
  }

  override async publish(channel: SignalChannel, payload: SignalPayload): Promise<void> {
    const text = JSON.stringify(payload);
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new Error(`A signal on ${channel} is larger than ${MAX_BYTES} bytes. Send ids and read rows.`);
    }
    await this.database.hot('SELECT pg_notify($1, $2)', [`${PREFIX}${channel}`, text]);
  }

  override subscribe(channel: SignalChannel, handler: (payload: SignalPayload) => void): () => void {
    return this.handlers.subscribe(channel, handler);
  }

  override onResync(handler: () => void): () => void {
    return this.handlers.onResync(handler);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.retry) clearTimeout(this.retry);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.directUrl,
      application_name: 'loupe-signals',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 5_000,
    });
    let lost = false;
    const onLoss = (error?: Error): void => {
      if (lost) return;
      lost = true;
      if (this.client === client) this.client = null;
      client.end().catch(() => undefined);
      if (this.stopped) return;
      this.options.log('The signal connection is lost; polling until it is back', error);
      this.tryAgain();
    };
    client.on('error', onLoss);
    client.on('end', () => onLoss());
    client.on('notification', (notice) => this.hear(notice));
    try {
      await client.connect();
      for (const channel of CHANNELS) await client.query(`LISTEN ${PREFIX}${channel}`);
    } catch (error) {
      onLoss(error as Error);
      return;
    }
    if (lost) return;
    if (this.stopped) {
      await client.end().catch(() => undefined);
      return;
    }
    this.client = client;
    this.failures = 0;
    if (this.everConnected) this.handlers.announceResync();
    this.everConnected = true;
  }

  private tryAgain(): void {
    const ceiling = Math.min(FIRST_DELAY_MS * 2 ** this.failures, LAST_DELAY_MS);
    this.failures += 1;
    const delay = FIRST_DELAY_MS + Math.random() * (ceiling - FIRST_DELAY_MS);
    this.retry = setTimeout(() => void this.listen(), delay);
    this.retry.unref();
  }

  private hear(notice: pg.Notification): void {
    const channel = notice.channel.slice(PREFIX.length) as SignalChannel;
    let payload: SignalPayload;
    try {
      payload = JSON.parse(notice.payload ?? '{}') as SignalPayload;
    } catch (error) {
      this.options.log(`A signal on ${channel} is no JSON`, error);
      return;
    }
    this.handlers.deliver(channel, payload);
  }
}
