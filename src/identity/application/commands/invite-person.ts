import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

export interface InvitePersonInput {
  readonly email: string;
  /** Whether the link goes out by mail, where mail is on. */
  readonly send: boolean;
}

/**
 * An admin opens registration for one address for 7 days; a newer invitation burns the older.
 * @throws DomainError `not_found` for others, `taken` when the address has an account; InvalidInput.
 */
@Injectable()
export class InvitePerson {
  constructor(
    private readonly persons: Persons,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(
    actor: Actor,
    input: InvitePersonInput,
  ): Promise<{ readonly link: string; readonly expiresAt: Date; readonly sent: boolean }> {
    await requireAdmin(this.persons, actor);
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      if (await this.persons.byEmail(email)) {
        throw conflict('taken', 'Somebody has an account with this e-mail address.');
      }
      const link = await this.links.issue({
        personId: null,
        purpose: 'invite',
        email,
        createdBy: personIdOf(actor),
      });
      const sent = input.send && this.mails.isOn;
      if (sent) await this.mails.invite(email, link);
      await this.audit.record(actor, { operation: 'person.invited', context: { sent } });
      return {
        link: `${this.mails.link('/register')}?invite=${link.value}`,
        expiresAt: link.expiresAt,
        sent,
      };
    });
  }
}
