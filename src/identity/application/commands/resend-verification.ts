import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLimits } from '../account-limits.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';

/**
 * Sends the link that proves an address once more, at most three an hour. It says nothing of what it found: whether
 * somebody has the address is nobody's business.
 */
@Injectable()
export class ResendVerification {
  constructor(
    private readonly persons: Persons,
    private readonly limits: AccountLimits,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute(_actor: Actor, { email }: { readonly email: string }): Promise<void> {
    if (!this.mails.isOn) return;
    await this.unitOfWork.run(async () => {
      const person = await this.persons.byEmail(email);
      if (person?.state !== 'unverified' || !(await this.limits.proof(person.id))) return;
      const link = await this.links.issue({ personId: person.id, purpose: 'verify-email' });
      await this.mails.verify(person.snapshot(), link);
    });
  }
}
