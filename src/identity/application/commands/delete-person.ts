import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { PersonDeletion } from '../person-deletion.js';
import { Persons } from '../ports/persons.js';
import { RecentProof } from '../recent-proof.js';
import { requireAdmin } from '../require-admin.js';

/** An admin deletes an account. @throws DomainError `not_found`, `confirm_first`, `yourself`, `last_admin`. */
@Injectable()
export class DeletePerson {
  constructor(
    private readonly persons: Persons,
    private readonly proof: RecentProof,
    private readonly deletion: PersonDeletion,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute(actor: Actor, { personId }: { readonly personId: string }): Promise<void> {
    await requireAdmin(this.persons, actor);
    await this.proof.require(actor);
    await this.unitOfWork.run(async () => {
      await this.persons.otherActiveAdmins(personId);
      await requireAdmin(this.persons, actor);
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Person');
      if (personIdOf(actor) === personId) {
        throw conflict('yourself', 'Delete your own account under Account, Delete account.');
      }
      await this.deletion.run(actor, person);
    });
  }
}
