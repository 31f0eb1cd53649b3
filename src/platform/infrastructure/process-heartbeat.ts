import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { Ids } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';

const BEAT_MS = 10_000;

/** A row for each running process, written every 10 s, so that the status page knows who is there. */
@Injectable()
export class ProcessHeartbeat {
  private readonly logger = new Logger('heartbeat');
  private readonly id: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly configuration: Configuration,
    ids: Ids,
  ) {
    this.id = ids.next();
  }

  start(): void {
    const beat = (): void => {
      this.beat().catch((error: unknown) =>
        this.logger.warn({ msg: 'The heartbeat could not be written', err: error }),
      );
    };
    this.timer = setInterval(beat, BEAT_MS);
    this.timer.unref();
    beat();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    // A row that stays is taken for a dead process after a minute.
    await this.database
      .query('DELETE FROM platform.process_heartbeats WHERE process_id = $1', [this.id])
      .catch(() => undefined);
  }

  async beat(): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.process_heartbeats (process_id, role, host, pid, version, started_at, seen_at)
       VALUES ($1, $2, $3, $4, $5, now(), now())
       ON CONFLICT (process_id) DO UPDATE SET seen_at = now()`,
      [this.id, this.configuration.values.role, hostname(), process.pid, version],
    );
  }

  /** Processes that have not been seen for a day are gone for good. */
  async purge(): Promise<void> {
    await this.database.query(
      "DELETE FROM platform.process_heartbeats WHERE seen_at < now() - interval '1 day'",
    );
  }
}
