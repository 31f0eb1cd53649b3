import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { comparableEmail, emailAddress } from '#libs/kernel/email-address.js';
import { Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLimits } from '../account-limits.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';

/**
 * Sends a link to choose a new password to whoever has the address. Whether somebody has it is never told.
 * @throws InvalidInput for what is no address; DomainError `rate_limited` by the address of the visitor.
 */
@Injectable()
export class RequestPasswordReset {
  constructor(
    private readonly persons: Persons,
    private readonly limits: AccountLimits,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor, input: { readonly email: string; readonly ip: string | null }): Promise<void> {
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    problems.throwIfAny();
    await this.limits.resetByAddress(input.ip);
    const more = await this.limits.resetOf(comparableEmail(email));
    if (!more || !this.mails.isOn) return;
    await this.unitOfWork.run(async () => {
      const person = await this.persons.byEmail(email);
      if (!person || person.state === 'suspended') return;
      const link = await this.links.issue({ personId: person.id, purpose: 'reset-password' });
      await this.mails.reset(person.snapshot(), link);
      await this.audit.record(actor, {
        operation: 'person.password_reset_requested',
        channel: 'web',
        subjectType: 'person',
        subjectId: person.id,
      });
    });
  }
}
