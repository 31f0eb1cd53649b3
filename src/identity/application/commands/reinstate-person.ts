import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

/** Lets a suspended person in again. @throws DomainError `not_found`. Repeating it changes nothing. */
@Injectable()
export class ReinstatePerson {
  constructor(
    private readonly persons: Persons,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    { personId }: { readonly personId: string },
  ): Promise<{ readonly changed: boolean }> {
    return this.unitOfWork.run(async () => {
      await requireAdmin(this.persons, actor);
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Person');
      if (!person.reinstate(this.clock.now())) return { changed: false };
      await this.persons.save(person);
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.reinstated',
        subjectType: 'person',
        subjectId: personId,
      });
      return { changed: true };
    });
  }
}
