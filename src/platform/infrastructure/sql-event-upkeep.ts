import { Injectable } from '@nestjs/common';
import { QueuedMailer } from '#libs/mail/queued-mailer.js';
import { Database } from '#libs/persistence/database.js';
import { EventUpkeep, type WaitingWork } from '../application/ports/event-upkeep.js';
import { OutboxJobs } from './outbox-jobs.js';
import { OutboxRelay } from './outbox-relay.js';

@Injectable()
export class SqlEventUpkeep extends EventUpkeep {
  constructor(
    private readonly database: Database,
    private readonly relay: OutboxRelay,
    private readonly jobs: OutboxJobs,
    private readonly mails: QueuedMailer,
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

  override async waiting(): Promise<WaitingWork> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*) AS count FROM platform.outbox_events WHERE dispatched_at IS NULL',
    );
    return { events: row!.count, mails: await this.mails.countWaiting() };
  }

  override discardMails(before: Date): Promise<number> {
    return this.mails.discard(before);
  }

  override async discardEvents(before: Date): Promise<number> {
    const gone = await this.database.query(
      'DELETE FROM platform.outbox_events WHERE dispatched_at IS NULL AND occurred_at < $1 RETURNING 1',
      [before],
    );
    return gone.length;
  }
}
