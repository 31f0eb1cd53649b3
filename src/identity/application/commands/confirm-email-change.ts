import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLinks, linkGone } from '../account-links.js';
import { Persons } from '../ports/persons.js';

/** Makes a proved address that of the account. @throws DomainError `link_gone`, `taken` when somebody was faster. */
@Injectable()
export class ConfirmEmailChange {
  constructor(
    private readonly persons: Persons,
    private readonly links: AccountLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, { token }: { readonly token: string }): Promise<{ readonly email: string }> {
    return this.unitOfWork.run(async () => {
      const { personId, email } = await this.links.take(token, ['change-email']);
      const person = personId === null ? null : await this.persons.byId(personId);
      if (person?.state !== 'active' || email === null) throw linkGone();
      person.changeEmail(email, this.clock.now());
      await this.persons.save(person);
      // Links that went to the old address are worth nothing any more.
      await this.links.burn(person.id, ['reset-password', 'set-password', 'verify-email']);
      await this.audit.record(actor, {
        operation: 'person.email_changed',
        channel: 'web',
        subjectType: 'person',
        subjectId: person.id,
      });
      await this.live.publish(`me:${person.id}`, { type: 'account', subjectId: person.id });
      return { email };
    });
  }
}
