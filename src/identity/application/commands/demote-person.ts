import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { RecentProof } from '../recent-proof.js';
import { requireAdmin } from '../require-admin.js';
import { SessionAnnouncements } from '../session-announcements.js';

/**
 * Takes the rights of an admin away; sessions of the person end. Repeating it changes nothing.
 * @throws DomainError `not_found`, `confirm_first`, `last_admin`.
 */
@Injectable()
export class DemotePerson {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly proof: RecentProof,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    { personId }: { readonly personId: string },
  ): Promise<{ readonly changed: boolean }> {
    await requireAdmin(this.persons, actor);
    await this.proof.require(actor);
    return this.unitOfWork.run(async () => {
      const activeAdmins = await this.persons.otherActiveAdmins(personId);
      await requireAdmin(this.persons, actor);
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Person');
      if (!person.demote({ activeAdmins }, this.clock.now())) return { changed: false };
      await this.persons.save(person);
      if ((await this.sessions.endAll(personId)) > 0) {
        await this.announcements.ended(actor, { personId, sessionId: null, cause: 'demoted' });
      }
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.demoted',
        subjectType: 'person',
        subjectId: personId,
      });
      return { changed: true };
    });
  }
}
