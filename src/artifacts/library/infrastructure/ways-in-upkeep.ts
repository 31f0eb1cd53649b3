import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { TidyWaysIn } from '../application/commands/tidy-ways-in.js';

const QUEUE = 'artifact-maintenance';
const NAME = 'artifacts.tidy-ways-in';
const EVERY_MS = 5 * 60_000;

/** Runs the tidying every five minutes, in one worker process. */
@Injectable()
export class WaysInUpkeep implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly tidy: TidyWaysIn,
  ) {}

  onModuleInit(): void {
    this.jobs.every(QUEUE, 'artifacts-tidy-ways-in', NAME, { ms: EVERY_MS });
    this.jobs.process(QUEUE, NAME, async () => {
      await this.tidy.execute();
      return undefined;
    });
  }
}
