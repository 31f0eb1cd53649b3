import { Injectable } from '@nestjs/common';
import { type LiveUpdate, LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { Database } from '#libs/persistence/database.js';

const TOPIC = /^(me:[0-9a-f-]{36}|project:[0-9a-f-]{36}(:[a-z]+)?)$/;

@Injectable()
export class SqlLiveUpdates extends LiveUpdates {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
  ) {
    super();
  }

  /** @throws Error for a topic of another form. */
  override async publish(topic: string, update: LiveUpdate): Promise<void> {
    if (!TOPIC.test(topic)) throw new Error(`"${topic}" is no topic.`);
    const [row] = await this.database.hot<{ id: number }>(
      `INSERT INTO platform.live_events (topic, type, subject_id, version) VALUES ($1, $2, $3, $4) RETURNING id`,
      [topic, update.type, update.subjectId, update.version ?? null],
    );
    await this.signals.publish('live', { topic, id: row!.id });
  }
}
