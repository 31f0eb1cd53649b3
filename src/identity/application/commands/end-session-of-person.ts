import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { requireAdmin } from '../require-admin.js';
import { SessionAnnouncements } from '../session-announcements.js';

/** An admin ends one session of whomever. @throws DomainError `not_found`. */
@Injectable()
export class EndSessionOfPerson {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor, { sessionId }: { readonly sessionId: string }): Promise<void> {
    await requireAdmin(this.persons, actor);
    if (!/^[0-9a-f]{64}$/.test(sessionId)) throw notFound('Session');
    await this.unitOfWork.run(async () => {
      const personId = await this.sessions.endAny(sessionId);
      if (personId === null) throw notFound('Session');
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
