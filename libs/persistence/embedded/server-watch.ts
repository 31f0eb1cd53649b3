/** How often a process looks whether the server is still there. */
const LOOK_MILLISECONDS = 1_000;
/** Waits between starts of a server that does not stay: they double from the first to the last. */
const FIRST_WAIT_MILLISECONDS = 1_000;
const LAST_WAIT_MILLISECONDS = 30_000;
/** A server that ran so long is taken for sound again. */
const SOUND_MILLISECONDS = 60_000;

/** What the watch looks at and what it does. */
export interface WatchedServer {
  isServing(): Promise<boolean>;
  /** @throws Error with the reason for which it did not start */
  revive(): Promise<void>;
  log(line: string, level: 'warn'): void;
}

/**
 * Starts a server again that has ended without being told to by Loupe. One that does not stay is started again after
 * growing waits, for ever: there is nothing else that a process could do without its database.
 */
export class ServerWatch {
  private readonly timer: NodeJS.Timeout;
  private looking: Promise<void> | null = null;
  private wait = FIRST_WAIT_MILLISECONDS;
  private notBefore = 0;
  /** When the last start ended, well or not. */
  private triedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly server: WatchedServer) {
    this.timer = setInterval(() => {
      this.looking ??= this.look().finally(() => {
        this.looking = null;
      });
    }, LOOK_MILLISECONDS);
    this.timer.unref();
  }

  /** Ends the watch, after a start that is under way. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    if (Date.now() < this.notBefore || (await this.server.isServing())) return;
    this.server.log('The embedded PostgreSQL has ended by itself; starting it again …', 'warn');
    if (Date.now() - this.triedAt > SOUND_MILLISECONDS) this.wait = FIRST_WAIT_MILLISECONDS;
    try {
      await this.server.revive();
      this.server.log('The embedded PostgreSQL runs again.', 'warn');
    } catch (error) {
      this.server.log(`${(error as Error).message} It is tried again.`, 'warn');
    }
    this.triedAt = Date.now();
    this.notBefore = this.triedAt + this.wait;
    this.wait = Math.min(this.wait * 2, LAST_WAIT_MILLISECONDS);
  }
}
