import pg from 'pg';

const CONNECTIONS = 2;
/** Beyond the limit of statements, so it only strikes when the server does not answer at all. */
const ANSWER_MILLISECONDS = 65_000;

/** The part of a client of `pg` that carries its bytes. */
interface Wire {
  readonly connection: { readonly stream: { destroy(): unknown } };
}

/**
 * A few connections that all requests share for statements of a few hundred microseconds: each sends what comes without
 * waiting for the answers before it, so a busy process spares most of the wake-ups of a pool. No transactions, no slow
 * statements: those behind would wait.
 */
export class HotConnections {
  private readonly slots: (Promise<pg.Client> | null)[] = Array.from({ length: CONNECTIONS }, () => null);
  private turn = 0;
  private closed = false;

  constructor(private readonly options: pg.ClientConfig) {}

  /** Opens a connection when the one whose turn it is has gone. @throws errors of the driver. */
  async rows(statement: pg.QueryConfig): Promise<unknown[]> {
    this.turn = (this.turn + 1) % CONNECTIONS;
    const slot = this.turn;
    const client = await (this.slots[slot] ?? this.open(slot));
    return (await client.query(statement)).rows;
  }

  /** Gives up all connections; what waits on them fails. */
  cut(): void {
    for (const [slot, client] of this.slots.entries()) {
      this.slots[slot] = null;
      client?.then(
        (open) => (open as unknown as Wire).connection.stream.destroy(),
        () => undefined,
      );
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const open = this.slots.filter((client) => client !== null);
    await Promise.all(
      open.map(async (client) => (await client).end()).map((end) => end.catch(() => undefined)),
    );
  }

  private open(slot: number): Promise<pg.Client> {
    if (this.closed) throw new Error('The database is closed.');
    const client = new pg.Client({
      ...this.options,
      query_timeout: ANSWER_MILLISECONDS,
      // The types do not know it yet.
      ...({ pipeline: true } as object),
    });
    const opening = client.connect().then(
      () => client,
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const forget = (): void => {
      if (this.slots[slot] === opening) this.slots[slot] = null;
    };
    client.on('error', forget);
    client.on('end', forget);
    this.slots[slot] = opening;
    return opening;
  }
}
