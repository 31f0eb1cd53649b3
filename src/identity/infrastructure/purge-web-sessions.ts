import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { WebSessions } from '../application/ports/web-sessions.js';

const QUEUE = 'maintenance';
const NAME = 'identity.purge-web-sessions';
const BATCH = 1_000;

/** Deletes web sessions that have ended, hourly and in batches. */
@Injectable()
export class PurgeWebSessions implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly sessions: WebSessions,
  ) {}

  onModuleInit(): void {
    this.jobs.every(QUEUE, 'identity-purge-sessions', NAME, { cron: '23 * * * *' });
    this.jobs.process(QUEUE, NAME, async () => {
      while ((await this.sessions.purgeExpired(BATCH)) === BATCH);
      return undefined;
    });
  }
}
