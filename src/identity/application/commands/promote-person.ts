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
 * `user:promote`, and the page of a person. Safe to repeat: `changed` is false then.
 * @throws DomainError `not_found`, `confirm_first`.
 */
@Injectable()
export class PromotePerson {
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
    who: { readonly email: string } | { readonly personId: string },
  ): Promise<{ readonly changed: boolean }> {
    await requireAdmin(this.persons, actor);
    await this.proof.require(actor);
    return this.unitOfWork.run(async () => {
      await requireAdmin(this.persons, actor);
      const person =
        'email' in who ? await this.persons.byEmail(who.email) : await this.persons.byId(who.personId);
      if (!person) throw notFound('Person');
      if (!person.promote(this.clock.now())) return { changed: false };
      await this.persons.save(person);
      // What was signed in with less must not carry more: the person signs in again.
      if ((await this.sessions.endAll(person.id)) > 0) {
        await this.announcements.ended(actor, { personId: person.id, sessionId: null, cause: 'promoted' });
      }
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.promoted',
        subjectType: 'person',
        subjectId: person.id,
      });
      return { changed: true };
    });
  }
}
