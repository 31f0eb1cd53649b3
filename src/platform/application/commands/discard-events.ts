import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { EventUpkeep } from '../ports/event-upkeep.js';

export interface DiscardEventsInput {
  readonly before: Date;
  /** Leaves events, which the contexts still need to agree with each other. */
  readonly mailsOnly?: boolean;
}

/**
 * After a restore: drops mails and events of the dump that were waiting, so that old mail is not sent again. Cannot be
 * undone.
 */
@Injectable()
export class DiscardEvents {
  constructor(
    private readonly upkeep: EventUpkeep,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(
    actor: Actor,
    { before, mailsOnly = false }: DiscardEventsInput,
  ): Promise<{ events: number; mails: number }> {
    requireAdmin(actor);
    return this.unitOfWork.run(async () => {
      const mails = await this.upkeep.discardMails(before);
      const events = mailsOnly ? 0 : await this.upkeep.discardEvents(before);
      if (events + mails > 0) {
        await this.audit.record(actor, {
          operation: 'events.discarded',
          context: { count: events, mails, before: before.toISOString() },
        });
      }
      return { events, mails };
    });
  }
}
