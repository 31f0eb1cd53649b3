import type { Socket } from 'node:net';
import pg from 'pg';

/** Work that takes longer makes Loupe ask whether the server is there at all. */
const DOUBT_MS = 2_000;
const ANSWER_MS = 2_000;
/** A server on an overloaded machine, or this process on one, may take longer than {@link ANSWER_MS}. */
const LAST_ANSWER_MS = 3_000;
const LOOK_MS = 500;

/** The part of a client of `pg` that carries its bytes. */
interface Wire {
  readonly connection: { readonly stream: Socket };
}

/**
 * Tells a server that is gone without a word (its machine hangs, the network swallows packets) from work that takes long.
 * When the server does not answer others either, what waits for it fails, and the connections of the pool are cut; without
 * this they would wait for as long as the kernel keeps them: hours.
 */
export class DatabasePulse {
  private readonly clients = new Set<pg.PoolClient>();
  private readonly running = new Set<{ readonly since: number; readonly fail: () => void }>();
  private readonly timer: NodeJS.Timeout;
  private asking = false;
  private silent = false;

  constructor(
    pool: pg.Pool,
    private readonly url: string,
    private readonly refusal: () => Error,
  ) {
    pool.on('acquire', (client) => this.clients.add(client));
    pool.on('remove', (client) => this.clients.delete(client as pg.PoolClient));
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Runs work that needs the server.
   * @throws the refusal at once while the server is known to be silent, and as soon as it is found so.
   */
  during<T>(work: () => Promise<T>): Promise<T> {
    if (this.silent) return Promise.reject(this.refusal());
    return new Promise<T>((resolve, reject) => {
      const one = { since: performance.now(), fail: () => reject(this.refusal()) };
      this.running.add(one);
      work()
        .then(resolve, reject)
        .finally(() => this.running.delete(one));
    });
  }

  private async look(): Promise<void> {
    // The set keeps its order, so the first one has run for the longest time.
    const [oldest] = this.running;
    const inDoubt = this.silent || (oldest !== undefined && performance.now() - oldest.since > DOUBT_MS);
    if (this.asking || !inDoubt) return;
    this.asking = true;
    this.silent = !((await this.ask(ANSWER_MS)) || (!this.silent && (await this.ask(LAST_ANSWER_MS))));
    this.asking = false;
    if (!this.silent) return;
    for (const { fail } of this.running) fail();
    for (const client of this.clients) (client as unknown as Wire).connection.stream.destroy();
  }

  private async ask(milliseconds: number): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'loupe-pulse',
      connectionTimeoutMillis: milliseconds,
      query_timeout: milliseconds,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch (error) {
      // A refusal with a SQLSTATE, such as "too many clients", is an answer too.
      return /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code));
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
