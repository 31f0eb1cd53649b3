import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { EventUpkeep } from '../application/ports/event-upkeep.js';
import { OutboxJobs } from './outbox-jobs.js';
import { OutboxRelay } from './outbox-relay.js';

@Injectable()
export class SqlEventUpkeep extends EventUpkeep {
  constructor(
    private readonly database: Database,
    private readonly relay: OutboxRelay,
    private readonly jobs: OutboxJobs,
  ) {
    super();
  }

  override async redispatch(since: Date): Promise<number> {
    let count = 0;
    for await (const page of this.relay.undelivered(since)) {
      await this.jobs.addAll(page);
      count += page.length;
    }
    return count;
  }

  override async discard(before: Date): Promise<number> {
    const gone = await this.database.query(
      'DELETE FROM platform.outbox_events WHERE dispatched_at IS NULL AND occurred_at < $1 RETURNING 1',
      [before],
    );
    return gone.length;
  }
}
