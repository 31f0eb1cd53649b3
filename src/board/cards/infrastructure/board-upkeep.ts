import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { CloseStaleRuns } from '../application/commands/close-stale-runs.js';

const QUEUE = 'maintenance';
const NAME = 'board.close-stale-runs';

/** What has to be done on boards every hour. */
@Injectable()
export class BoardUpkeep implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly closeStaleRuns: CloseStaleRuns,
  ) {}

  onModuleInit(): void {
    this.jobs.every(QUEUE, 'board-close-stale-runs', NAME, { cron: '41 * * * *' });
    this.jobs.process(QUEUE, NAME, async () => {
      await this.closeStaleRuns.execute({ kind: 'system', jobName: NAME });
      return undefined;
    });
  }
}
