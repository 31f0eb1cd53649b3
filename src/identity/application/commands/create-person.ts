import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { displayName } from '../../domain/display-name.js';
import { NO_PASSWORD, Person } from '../../domain/person.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

export interface CreatePersonInput {
  readonly email: string;
  readonly displayName: string;
  /** Whether the link goes out by mail, where mail is on. */
  readonly send: boolean;
}

/**
 * An admin makes a verified account, whose owner chooses the password by a link good for 7 days.
 * @throws DomainError `not_found` for others, `taken`; InvalidInput.
 */
@Injectable()
export class CreatePerson {
  constructor(
    private readonly persons: Persons,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: CreatePersonInput,
  ): Promise<{
    readonly id: string;
    readonly link: string;
    readonly expiresAt: Date;
    readonly sent: boolean;
  }> {
    await requireAdmin(this.persons, actor);
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    const name = displayName(problems, input.displayName);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const person = Person.createVerified(
        { id: this.ids.next(), email, displayName: name, passwordHash: NO_PASSWORD, isAdmin: false },
        this.clock.now(),
      );
      await this.persons.add(person);
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.registered',
        subjectType: 'person',
        subjectId: person.id,
      });
      const link = await this.links.issue({ personId: person.id, purpose: 'set-password' });
      const sent = input.send && this.mails.isOn;
      if (sent) await this.mails.welcome(person.snapshot(), link);
      return {
        id: person.id,
        link: this.mails.link('/reset-password', link.value),
        expiresAt: link.expiresAt,
        sent,
      };
    });
  }
}
