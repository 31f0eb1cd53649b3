import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { cleanText } from '#libs/kernel/text.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { requireAdmin } from '../require-admin.js';
import { SessionAnnouncements } from '../session-announcements.js';

/**
 * Shuts somebody out: all sessions end, connections refuse until the person is reinstated.
 * @throws DomainError `not_found`, `yourself`, `last_admin`. Repeating it changes nothing.
 */
@Injectable()
export class SuspendPerson {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    { personId, reason = '' }: { readonly personId: string; readonly reason?: string },
  ): Promise<{ readonly changed: boolean }> {
    const problems = new Problems();
    const why = cleanText(problems, 'reason', reason, { max: 500 });
    problems.throwIfAny();
    await requireAdmin(this.persons, actor);
    return this.unitOfWork.run(async () => {
      const activeAdmins = await this.persons.otherActiveAdmins(personId);
      // Behind the lock of all admins, so that of two who suspend each other at once the first wins.
      await requireAdmin(this.persons, actor);
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Person');
      if (!person.suspend(why || null, { activeAdmins }, this.clock.now())) return { changed: false };
      if (personIdOf(actor) === personId) {
        throw conflict('yourself', 'You cannot suspend yourself. Ask another administrator.');
      }
      await this.persons.save(person);
      await this.sessions.endAll(personId);
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.suspended',
        subjectType: 'person',
        subjectId: personId,
      });
      await this.announcements.ended(actor, { personId, sessionId: null, cause: 'suspended' });
      return { changed: true };
    });
  }
}
