import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { Persons } from '../ports/persons.js';
import { RecentProof } from '../recent-proof.js';
import { requireAdmin } from '../require-admin.js';

/**
 * An admin gets a link by which somebody chooses a new password, good for 7 days; where mail is on it is sent too.
 * @throws DomainError `not_found`, `confirm_first`, `suspended`.
 */
@Injectable()
export class IssueResetLink {
  constructor(
    private readonly persons: Persons,
    private readonly proof: RecentProof,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  async execute(
    actor: Actor,
    { personId }: { readonly personId: string },
  ): Promise<{ readonly link: string; readonly expiresAt: Date; readonly sent: boolean }> {
    await requireAdmin(this.persons, actor);
    await this.proof.require(actor);
    return this.unitOfWork.run(async () => {
      await requireAdmin(this.persons, actor);
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Person');
      if (person.state === 'suspended') {
        throw conflict('suspended', 'This person is suspended. Reinstate the account first.');
      }
      const link = await this.links.issue({ personId, purpose: 'set-password' });
      const sent = this.mails.isOn;
      if (sent) await this.mails.chosenByAdmin(person.snapshot(), link);
      await this.audit.record(actor, {
        operation: 'person.password_reset_requested',
        subjectType: 'person',
        subjectId: personId,
        context: { sent },
      });
      return { link: this.mails.link('/reset-password', link.value), expiresAt: link.expiresAt, sent };
    });
  }
}
