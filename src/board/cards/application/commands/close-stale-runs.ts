import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { STALE_SESSION_HOURS, TOMBSTONE_DAYS } from '../../domain/limits.js';
import { BoardDoor } from '../board-door.js';
import { Boards } from '../ports/boards.js';
import { type InteractiveRun, InteractiveRuns } from '../ports/interactive-runs.js';

const HOUR = 3_600_000;

/** Hourly: closes runs whose session was not heard of for a day, and forgets deleted cards after a week. */
@Injectable()
export class CloseStaleRuns {
  constructor(
    private readonly door: BoardDoor,
    private readonly boards: Boards,
    private readonly runs: InteractiveRuns,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor): Promise<void> {
    const now = this.clock.now().getTime();
    const before = new Date(now - STALE_SESSION_HOURS * HOUR);
    for (let stale = await this.runs.staleSince(before); stale.length > 0; ) {
      const results = await Promise.allSettled(stale.map((run) => this.close(actor, run)));
      // One that fails keeps no other open; the job is then repeated.
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      stale = await this.runs.staleSince(before);
    }
    await this.boards.dropTombstones(new Date(now - TOMBSTONE_DAYS * 24 * HOUR));
  }

  private async close(actor: Actor, { projectId, cardId, runId }: InteractiveRun): Promise<void> {
    const request = { projectId, level: 'contribute', operation: 'board.run_closed' } as const;
    await this.door.change(actor, request, async (change) => {
      if (!(await this.runs.close(runId, 'stale', change.at))) return;
      change.stale.add(cardId);
      change.lookAt.add(cardId);
      change.tell('card', cardId);
      change.event('InteractiveRunClosed', cardId, { cardId, runId, reason: 'stale' });
    });
  }
}
