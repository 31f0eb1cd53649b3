import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

/**
 * `user:verify`, and the page of a person. Safe to repeat: `changed` is false then.
 * @throws DomainError `not_found`.
 */
@Injectable()
export class ForceVerifyPerson {
  constructor(
    private readonly persons: Persons,
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
    return this.unitOfWork.run(async () => {
      await requireAdmin(this.persons, actor);
      const person =
        'email' in who ? await this.persons.byEmail(who.email) : await this.persons.byId(who.personId);
      if (!person) throw notFound('Person');
      if (!person.verify(this.clock.now())) return { changed: false };
      await this.persons.save(person);
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.verified',
        subjectType: 'person',
        subjectId: person.id,
      });
      return { changed: true };
    });
  }
}
