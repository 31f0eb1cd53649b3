import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';

/** Ends all sessions of one's own but this one. Repeating it changes nothing. */
@Injectable()
export class EndOtherSessions {
  constructor(
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: PersonActor): Promise<{ readonly ended: number }> {
    const { personId, sessionId } = actor;
    return this.unitOfWork.run(async () => {
      const ended = await this.sessions.endAll(personId, sessionId);
      if (ended === 0) return { ended };
      await this.audit.record(actor, {
        operation: 'session.ended',
        subjectType: 'person',
        subjectId: personId,
        context: { sessions: ended },
      });
      await this.announcements.ended(actor, { personId, sessionId: null, cause: 'sessions-ended' });
      return { ended };
    });
  }
}
