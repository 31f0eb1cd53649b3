import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';

/** Ends one session of one's own. @throws DomainError `not_found` for an unknown or foreign one. */
@Injectable()
export class EndSession {
  constructor(
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: PersonActor, { sessionId }: { readonly sessionId: string }): Promise<void> {
    if (!/^[0-9a-f]{64}$/.test(sessionId)) throw notFound('Session');
    const { personId } = actor;
    await this.unitOfWork.run(async () => {
      if (!(await this.sessions.end(personId, sessionId))) throw notFound('Session');
      await this.audit.record(actor, {
        operation: 'session.ended',
        subjectType: 'person',
        subjectId: personId,
        context: { sessions: 1 },
      });
      await this.announcements.ended(actor, { personId, sessionId, cause: 'sessions-ended' });
    });
  }
}
