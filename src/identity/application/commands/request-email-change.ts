import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { comparableEmail, emailAddress } from '#libs/kernel/email-address.js';
import { conflict, InvalidInput, notFound, Problems } from '#libs/kernel/errors.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLimits } from '../account-limits.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';
import { RecentProof } from '../recent-proof.js';

/**
 * Sends a link to a new address and a notice to the old one; the address changes when the link is opened. The answer is
 * the same for an address that somebody has, whose owner is told instead.
 * @throws DomainError `confirm_first`, `mail_off`, `rate_limited` after three an hour; InvalidInput.
 */
@Injectable()
export class RequestEmailChange {
  constructor(
    private readonly persons: Persons,
    private readonly proof: RecentProof,
    private readonly limits: AccountLimits,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly live: LiveUpdates,
  ) {}

  async execute(actor: PersonActor, input: { readonly email: string }): Promise<void> {
    const { personId } = actor;
    await this.proof.require(actor);
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    problems.throwIfAny();
    if (!this.mails.isOn) {
      throw conflict(
        'mail_off',
        'This instance cannot send mail, so a new address cannot be proved. Ask an administrator.',
      );
    }
    const known = await this.persons.byId(personId);
    if (!known) throw notFound('Account');
    if (comparableEmail(known.snapshot().email) === comparableEmail(email)) {
      throw new InvalidInput([{ argument: 'email', sentence: 'This is your address already.' }]);
    }
    await this.limits.proofAskedFor(personId);
    await this.unitOfWork.run(async () => {
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Account');
      const link = await this.links.issue({ personId, purpose: 'change-email', email });
      const owner = await this.persons.byEmail(email);
      if (owner) await this.mails.accountExists(owner.snapshot());
      else await this.mails.confirmChange(person.snapshot(), email, link);
      await this.mails.changeAskedFor(person.snapshot());
      await this.live.publish(`me:${personId}`, { type: 'account', subjectId: personId });
    });
  }
}
