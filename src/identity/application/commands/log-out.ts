import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';

/** Ends the session of this browser. Repeating it changes nothing. */
@Injectable()
export class LogOut {
  constructor(
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: PersonActor): Promise<void> {
    const { personId, sessionId } = actor;
    await this.unitOfWork.run(async () => {
      if (!(await this.sessions.end(personId, sessionId))) return;
      await this.audit.record(actor, {
        operation: 'session.ended',
        subjectType: 'person',
        subjectId: personId,
        context: { cause: 'logout' },
      });
      await this.announcements.ended(actor, { personId, sessionId, cause: 'logout' });
    });
  }
}
