import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Signals } from '#libs/kernel/ports/signals.js';

export interface EndedSessions {
  readonly personId: string;
  /** The one session that ended; null when several did. */
  readonly sessionId: string | null;
  readonly cause:
    | 'logout'
    | 'sessions-ended'
    | 'password-changed'
    | 'suspended'
    | 'promoted'
    | 'demoted'
    | 'deleted';
}

/** What the rest of Loupe hears when sessions end; called within the unit of work that ends them. */
@Injectable()
export class SessionAnnouncements {
  constructor(
    private readonly outbox: Outbox,
    private readonly signals: Signals,
    private readonly live: LiveUpdates,
  ) {}

  async ended(actor: Actor, { personId, sessionId, cause }: EndedSessions): Promise<void> {
    await this.outbox.publish(actor, {
      type: 'SessionsEnded',
      aggregateId: personId,
      personId,
      payload: { personId, cause },
    });
    // Open streams check anew whether they may go on; it is no list of what to close.
    await this.signals.publish('access', { personId, sessionId, cause });
    await this.live.publish(`me:${personId}`, { type: 'sessions', subjectId: personId });
  }
}
