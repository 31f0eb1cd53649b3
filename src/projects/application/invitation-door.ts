import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, forbidden } from '#libs/kernel/errors.js';
import { PersonContacts } from '#src/identity/application/ports/person-contacts.js';
import { type Invitation, invitationHash, isFor, stateAt } from '../domain/invitation.js';
import { Invitations } from './ports/invitations.js';

/** Finds the invitation of a link, and says whether this person may answer it. */
@Injectable()
export class InvitationDoor {
  constructor(
    private readonly invitations: Invitations,
    private readonly contacts: PersonContacts,
    private readonly clock: Clock,
  ) {}

  /** Whatever its state. @throws DomainError `invitation_gone`, the same for tokens that never were. */
  async find(token: string): Promise<Invitation> {
    const hash = invitationHash(token);
    const invitation = hash === null ? null : await this.invitations.findByHash(hash);
    if (!invitation) throw invitationGone();
    return invitation;
  }

  /** @throws DomainError `invitation_gone` for one that has ended, `wrong_address` for somebody else's. */
  async answerable(actor: Actor, token: string): Promise<{ invitation: Invitation; personId: string }> {
    const personId = personIdOf(actor);
    if (personId === null || actor.kind !== 'person') throw forbidden('Only a signed-in person may answer.');
    const invitation = await this.find(token);
    if (stateAt(invitation, this.clock.now()) !== 'open') throw invitationGone();
    const email = (await this.contacts.emails([personId])).get(personId) ?? null;
    if (!isFor(invitation, email)) {
      throw forbidden(
        'This invitation is for another address. Sign in with the account that has it.',
        'wrong_address',
      );
    }
    return { invitation, personId };
  }
}

/** The same for an unknown, used, revoked and expired one. */
export function invitationGone(): DomainError {
  return new DomainError(
    'not-found',
    'invitation_gone',
    'This invitation no longer works. Ask for a new one.',
  );
}
