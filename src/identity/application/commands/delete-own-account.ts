import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { InvalidInput, notFound } from '#libs/kernel/errors.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { PersonDeletion } from '../person-deletion.js';
import { Persons } from '../ports/persons.js';
import { RecentProof } from '../recent-proof.js';

const ACTOR = { kind: 'system', jobName: 'account-deletion' } as const;

/**
 * A person deletes the own account, with the address typed as a sign that it is meant.
 * @throws DomainError `confirm_first`, `last_admin`; InvalidInput for another address.
 */
@Injectable()
export class DeleteOwnAccount {
  constructor(
    private readonly persons: Persons,
    private readonly proof: RecentProof,
    private readonly deletion: PersonDeletion,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute(actor: PersonActor, { email }: { readonly email: string }): Promise<void> {
    await this.proof.require(actor);
    await this.unitOfWork.run(async () => {
      // Admins are locked in one order, before this person.
      await this.persons.otherActiveAdmins(actor.personId);
      const person = await this.persons.byId(actor.personId);
      if (!person) throw notFound('Account');
      if (comparableEmail(email) !== comparableEmail(person.snapshot().email)) {
        throw new InvalidInput([{ argument: 'email', sentence: 'Type the address of your account.' }]);
      }
      await this.deletion.run(ACTOR, person);
    });
  }
}
