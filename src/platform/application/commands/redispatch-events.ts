import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { EventUpkeep } from '../ports/event-upkeep.js';

/** Queues undelivered events again, for a queue that lost more than the last hour. Safe to repeat. */
@Injectable()
export class RedispatchEvents {
  constructor(
    private readonly events: EventUpkeep,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor, input: { readonly since: Date }): Promise<{ queued: number }> {
    requireAdmin(actor);
    return this.unitOfWork.run(async () => {
      const queued = await this.events.redispatch(input.since);
      if (queued > 0) {
        await this.audit.record(actor, {
          operation: 'events.redispatched',
          context: { count: queued, since: input.since.toISOString() },
        });
      }
      return { queued };
    });
  }
}
