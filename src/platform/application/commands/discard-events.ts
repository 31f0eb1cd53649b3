import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { EventUpkeep } from '../ports/event-upkeep.js';

/** After a restore: drops events of the dump that were waiting, so that old mail is not sent again. Cannot be undone. */
@Injectable()
export class DiscardEvents {
  constructor(
    private readonly events: EventUpkeep,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor, input: { readonly before: Date }): Promise<{ discarded: number }> {
    requireAdmin(actor);
    return this.unitOfWork.run(async () => {
      const discarded = await this.events.discard(input.before);
      if (discarded > 0) {
        await this.audit.record(actor, {
          operation: 'events.discarded',
          context: { count: discarded, before: input.before.toISOString() },
        });
      }
      return { discarded };
    });
  }
}
